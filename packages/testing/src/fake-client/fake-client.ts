import {
  type CallOptions,
  createPaymentClient,
  type PaymentClient,
  type PaymentClientOptions,
} from '@tallystick/client'
import {
  defineProfile,
  type OperationKey,
  operationKeys,
  type Profile,
  type RequestInput,
  Secret,
} from '@tallystick/core'
import { checkBrand, checkOptions, type RequestValues, type Validators, validator } from '@tallystick/core/internal'
import { instantClock } from '../clocks.ts'
import { testControlKey, testKeyPair } from '../fakes.ts'
import { verify } from '../unused-scripts.ts'
import type { ScriptedAnswer } from './answers.ts'
import { type FakeCall, Script } from './script.ts'
import { ScriptedTransport } from './scripted-transport.ts'

/** The options of a fake client. Its keys, its address and its endpoint are made up. None is required. */
export interface FakeClientOptions
  extends Partial<Pick<PaymentClientOptions, 'clock' | 'nonce' | 'log' | 'onWarning'>> {
  /** What the gateway does differently from the interface. */
  readonly profile?: Partial<Omit<Profile, 'baseUrl'>>
}

/** The client checks the values that are `anything` here. */
const KINDS: Validators<FakeClientOptions> = {
  profile: validator.object,
  clock: validator.anything,
  nonce: validator.anything,
  log: validator.anything,
  onWarning: validator.anything,
}

/** A client without a gateway: every method of the real one, answered by what the test scripted. */
export interface FakeClient extends PaymentClient, Disposable {
  /**
   * Answers the next calls of an operation, in this order, each answer once.
   *
   * @param operation the name of the client's method
   * @throws TypeError if there is no such operation, or an answer is not one of `accepted()` and the like
   */
  answer<K extends OperationKey>(operation: K, ...answers: ReadonlyArray<ScriptedAnswer<K>>): void
  /**
   * Answers every call of an operation for which no answer of `answer` is left.
   *
   * @throws TypeError as `answer`
   */
  always<K extends OperationKey>(operation: K, answer: ScriptedAnswer<K>): void
  /**
   * The requests that were sent, oldest first, as a gateway reads them. Input that does not fit its model is never sent and does
   * not count. Card numbers print masked.
   */
  readonly calls: readonly FakeCall[]
  /** The requests of one operation. */
  callsOf<K extends OperationKey>(operation: K): ReadonlyArray<RequestValues<K>>
  /** Signs callbacks that `verifiesCallback` accepts: `signedCallback(callback, fake.controlKey)`. */
  readonly controlKey: Secret
  /**
   * Fails if an answer was not used, or a call had none. `using fake = fakeClient()` does this at the end of the block.
   *
   * @throws UnusedScriptError
   */
  verify(): void
}

/**
 * Creates a client whose gateway is a script. Everything else is the real client: it checks the input, signs, classifies the
 * answer and waits, on a clock that takes no real time.
 *
 * @throws TypeError that names a wrong option, and the one that may have been meant
 */
export function fakeClient(given: FakeClientOptions = {}): FakeClient {
  checkOptions('fakeClient', given, KINDS)
  const { profile: changes = {}, ...options } = given
  checkBrand('fakeClient: profile', changes)
  const profile = defineProfile({ recurringExtensions: true, ...changes, baseUrl: 'https://fake-gateway.test/paynet' })
  const script = new Script()
  const transport = new ScriptedTransport(script, profile)
  const controlKey = new Secret(testControlKey())
  const client = createPaymentClient({
    clock: instantClock(),
    ...options,
    profile,
    login: 'test-merchant',
    controlKey,
    privateKey: testKeyPair().privateKey,
    endpointId: '253',
    readAttempts: 1,
    transport,
  })
  const finish = () => verify(script)
  return {
    ...client,
    ...watched(client, transport),
    controlKey,
    answer: (operation, ...answers) => script.add(operation, answers),
    always: (operation, answer) => script.addStanding(operation, answer),
    calls: transport.calls,
    callsOf: (operation) => callsOf(transport.calls, operation),
    verify: finish,
    [Symbol.dispose]: finish,
  }
}

function callsOf<K extends OperationKey>(calls: readonly FakeCall[], key: K): ReadonlyArray<RequestValues<K>> {
  return calls.flatMap(({ operation, request }) => (operation === key ? [request as RequestValues<K>] : []))
}

/** The methods that may find an answer missing: then they fail with that. */
function watched(client: PaymentClient, transport: ScriptedTransport): Partial<PaymentClient> {
  const methods = operationKeys.map((key) => [key, watchedMethod(key, client, transport)])
  return {
    ...Object.fromEntries(methods),
    checkCredentials: (options) => transport.watch(() => client.checkCredentials(options)),
    waitForOutcome: (order, options) => transport.watch(() => client.waitForOutcome(order, options)),
    watchOutcome: async function* (order, options) {
      const looks = client.watchOutcome(order, options)
      for (;;) {
        const look = await transport.watch(() => looks.next())
        if (look.done) return look.value
        yield look.value
      }
    },
    threeDs: {
      next: (order, options) => transport.watch(() => client.threeDs.next(order, options)),
      take: (inbound, options) => transport.watch(() => client.threeDs.take(inbound, options)),
    },
  }
}

function watchedMethod<K extends OperationKey>(key: K, client: PaymentClient, transport: ScriptedTransport) {
  const method = client[key] as (input: RequestInput<K>, options?: CallOptions) => Promise<unknown>
  return async (input: RequestInput<K>, options?: CallOptions) =>
    resolvable(await transport.watch(() => method(input, options)), transport)
}

/** An `unknown` checks the status later, and may find its answer missing then. */
function resolvable(result: unknown, transport: ScriptedTransport): unknown {
  if (typeof result !== 'object' || result === null || !('resolve' in result)) return result
  const resolve = result.resolve as (...args: readonly unknown[]) => Promise<unknown>
  return { ...result, resolve: (...args: readonly unknown[]) => transport.watch(() => resolve(...args)) }
}
