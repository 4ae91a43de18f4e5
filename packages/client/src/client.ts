import {
  type Callback,
  callbackControlTerms,
  catalogue,
  checkOptions,
  type Endpoint,
  type EndpointAddress,
  type Exponents,
  type OperationKey,
  operationKeys,
  type RequestInput,
  Secret,
} from '@tallystick/core'
import { verifyControl } from '@tallystick/signing'
import { derivedClientOrderId, newClientOrderId } from './call/client-order-id.ts'
import { operate } from './call/operate.ts'
import { read } from './call/read.ts'
import { type CredentialCheck, checkCredentials } from './check-credentials.ts'
import { type Signers, withNew } from './credential-rotation.ts'
import { type Credentials, requireCredentials } from './credentials.ts'
import { warn } from './diagnostics.ts'
import type { OperationMethods } from './methods.ts'
import { type Dependencies, NO_OPTIONS, type PaymentClientOptions, readOptions, WAIT_KINDS } from './options.ts'
import { type Look, namesOf, type Outcome, type WaitedOrder } from './outcomes/outcome.ts'
import { type WatchDependencies, waitForOutcome, watchOutcome } from './outcomes/wait-for-outcome.ts'
import { Waiters } from './outcomes/waiters.ts'
import type { CallOptions, WaitOptions } from './result.ts'
import { randomNonce } from './runtime/system.ts'
import { createThreeDs } from './three-ds/create-three-ds.ts'
import type { ThreeDs } from './three-ds/three-ds.ts'

/** A merchant's client of one gateway, made by `createPaymentClient`. Use one for all requests, and `close` it at the end. */
export interface PaymentClient extends OperationMethods {
  /** A new client order id: unique, sortable by time, safe beside amounts in a control. */
  newClientOrderId(): string
  /**
   * The client order id that follows from names of yours: always the same one for the same names, login and endpoint of the client,
   * and key. The journal makes its ids so. Nobody can guess it who does not have the key.
   *
   * @param key default the control key that the client was made with: after `useCredentials` the ids stay the same
   */
  derivedClientOrderId(names: readonly string[], key?: string | Secret): string
  /**
   * Polls the signed status of an order at the documented cadence until it is final, at most `deadlineMs`; a callback
   * shortens the wait. `undecided` is not a failure: the customer may still be charged.
   *
   *     const { outcome } = await client.waitForOutcome({ clientOrderId })  // 'approved', 'declined', ... 'undecided'
   *
   * @throws PaymentError `AUTH_REJECTED` or `INVALID_INPUT`, which polling cannot fix; the reason of the signal
   */
  waitForOutcome(order: WaitedOrder, options?: WaitOptions): Promise<Outcome>
  /** As `waitForOutcome`, yielding each status check: for a page that shows progress. */
  watchOutcome(order: WaitedOrder, options?: WaitOptions): AsyncGenerator<Look, Outcome, undefined>
  /** Makes waits for this order check sooner, as a callback does. Only the status decides. */
  wake(clientOrderId: string): void
  /**
   * Whether a callback or browser return is signed with this merchant's control key, or that of the `credentials`. Calls
   * `onWarning` if not. The amount is not signed.
   */
  verifiesCallback(callback: Callback, options?: Pick<CallOptions, 'credentials'>): boolean
  /**
   * Signs all further calls with these, to change keys without a restart. Callbacks signed with the previous keys are still
   * accepted, since the gateway may have sent them already.
   *
   * @throws TypeError for anything but a result of `merchantCredentials`; the keys stay as they were
   */
  useCredentials(credentials: Credentials): void
  /**
   * Whether the gateway accepts the login and the control key, before the first payment. Asks for the status of an order that
   * cannot exist, and so creates nothing. Finds a wrong login, which the signature of a sale does not contain. Says nothing
   * about `privateKey`, which signs no reads, nor about a gateway that answers before it verifies. Never throws a
   * `PaymentError`: the result has the error, with a remedy.
   *
   *     const check = await client.checkCredentials()
   *     if (check.credentials !== 'right') throw new Error(check.remedy)
   */
  checkCredentials(options?: CallOptions): Promise<CredentialCheck>
  /** Takes a payment through 3-D Secure in the customer's browser. */
  readonly threeDs: ThreeDs
  /** The endpoint or group of calls that name no other. */
  readonly endpoint: Endpoint
  /** Decimals of amounts, from the profile: `always-2`, or by `iso-4217`. */
  readonly exponents: Exponents
  /** Finishes the calls under way, then ends the connections. Waits for outcomes end `undecided`. */
  close(): Promise<void>
}

/**
 * Makes a merchant's client: a typed method for each operation, signed by the operation's scheme.
 *
 * Operations that change something return `accepted | rejected | notSent | unknown` and are sent once, whatever
 * happens. Reads return their reply and throw a `PaymentError`.
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function createPaymentClient(options: PaymentClientOptions): PaymentClient {
  const deps = readOptions(options)
  const waiters = new Waiters()
  let current = deps
  let signers: Signers = [deps]
  const now = () => current
  const methods = Object.fromEntries(operationKeys.map((key) => [key, methodOf(key, now)])) as OperationMethods
  const client: Omit<PaymentClient, 'threeDs'> = {
    ...methods,
    endpoint: namedEndpoint(deps.endpoint),
    exponents: deps.profile.exponents,
    newClientOrderId: () => newClientOrderId(deps.clock),
    derivedClientOrderId: (names, key = deps.controlKey) => {
      const { id, isGroup } = deps.endpoint
      const shop = [deps.login, isGroup ? 'group' : 'endpoint', id]
      return derivedClientOrderId([...shop, ...names], typeof key === 'string' ? new Secret(key) : key)
    },
    waitForOutcome: async (order, wait = {}) => await waitForOutcome(namesOf(order), watchOf(wait, now, waiters)),
    watchOutcome: (order, wait = {}) => watchOutcome(namesOf(order), watchOf(wait, now, waiters)),
    wake: (clientOrderId) => waiters.wake(clientOrderId),
    verifiesCallback: (callback, { credentials } = {}) => {
      const accepted =
        credentials === undefined ? signers : [requireCredentials('verifiesCallback: credentials', credentials)]
      const isOurs = accepted.some((each) => verifiesCallback(callback, each))
      if (!isOurs) warn(refusedCallback(callback), deps)
      return isOurs
    },
    useCredentials: (credentials) => {
      const next = requireCredentials('useCredentials: credentials', credentials)
      signers = withNew(next, signers)
      current = { ...deps, ...next }
    },
    checkCredentials: (given = NO_OPTIONS) => checkCredentials(given, now()),
    close: async () => {
      waiters.close()
      await deps.transport.close()
    },
  }
  return {
    ...client,
    threeDs: createThreeDs({
      ...deps,
      client,
      signers: () => signers,
      nonce: randomNonce,
      now: () => deps.clock.now(),
    }),
  }
}

function namedEndpoint({ id, isGroup }: EndpointAddress): Endpoint {
  return isGroup ? { endpointGroupId: id } : { endpointId: id }
}

function methodOf<K extends OperationKey>(key: K, now: () => Dependencies) {
  return catalogue[key].effect === 'reads'
    ? (input: RequestInput<K>, options: CallOptions = NO_OPTIONS) => read(key, input, options, now())
    : (input: RequestInput<K>, options: CallOptions = NO_OPTIONS) => operate(key, input, options, now)
}

/** Signs each status check with the keys of that moment: they may change during a wait. */
function watchOf(wait: WaitOptions, now: () => Dependencies, waiters: Waiters): WatchDependencies {
  checkOptions('a wait', wait, WAIT_KINDS)
  const { deadlineMs = WAIT_MS, ...options } = wait
  return {
    ask: ({ clientOrderId, orderId, serialNumber }, atMostMs) => {
      const deps = now()
      const timeoutMs = Math.min(options.timeoutMs ?? deps.timeoutMs, atMostMs)
      const names = { clientOrderId, orderId, byRequestSn: serialNumber }
      return read('status', names, { ...options, timeoutMs }, { ...deps, readAttempts: 1 })
    },
    clock: now().clock,
    waiters,
    deadlineMs,
    signal: options.signal,
  }
}

/** The longest that a customer waits at a page: after that the documented cadence is only every few minutes. */
const WAIT_MS = 300_000

/** Anybody may have written the ids: they are cut, and `warn` masks card numbers in them. */
function refusedCallback({ clientOrderId, orderId }: Callback): string {
  const [own, theirs] = [clientOrderId, orderId].map((id) => id.slice(0, MOST_OF_AN_ID))
  return `a callback or return of ${own} ${theirs} is refused: its control was not made with this merchant's controlKey`
}

const MOST_OF_AN_ID = 128

function verifiesCallback(callback: Callback, { controlKey }: Credentials): boolean {
  const terms = callbackControlTerms(callback)
  return verifyControl({ terms, key: controlKey.reveal(), control: callback.control }).ok
}
