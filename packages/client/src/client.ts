import {
  type Callback,
  callbackControlTerms,
  catalogue,
  type Endpoint,
  type OperationKey,
  operationKeys,
  type RequestInput,
  Secret,
} from '@tallystick/core'
import { checkOptions, type EndpointAddress } from '@tallystick/core/internal'
import { verifyControl } from '@tallystick/signing'
import { derivedClientOrderId, newClientOrderId } from './call/client-order-id.ts'
import { operate } from './call/operate.ts'
import { read } from './call/read.ts'
import { checkCredentials } from './check-credentials.ts'
import { type Credentials, requireCredentials, type Signers, withNew } from './credentials.ts'
import { recordCallback, warn } from './diagnostics.ts'
import type { OperationMethods } from './methods.ts'
import { type Dependencies, NO_OPTIONS, type PaymentClientOptions, readOptions, WAIT_KINDS } from './options.ts'
import { namesOf } from './outcomes/outcome.ts'
import { Waiters } from './outcomes/poll.ts'
import { type WatchDependencies, waitForOutcome, watchOutcome } from './outcomes/wait-for-outcome.ts'
import type { PaymentClient } from './payment-client.ts'
import type { CallOptions, WaitOptions } from './result.ts'
import { randomNonce } from './runtime/system.ts'
import { createThreeDs } from './three-ds/create-three-ds.ts'

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
      recordCallback(callback, isOurs, deps)
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
