import type { OperationKey } from '@tallystick/core'
import { checkOptions, validator } from '@tallystick/core/internal'
import { type Duration, FAULTS, type FaultControl, type Gateway, type Timeline } from '@tallystick/gateway'
import { actOf, byAct, requireCarriedOut, type Scenario, type ScenarioOf } from '../gateway/scenario.ts'
import { requireClientOrderId, requireOperation } from '../options/check-fields.ts'
import { verify } from '../unused-scripts.ts'

/** Like a scenario of a gateway in this process, but each method sends a request: wait for it before the shop pays. */
export type RemoteScenario<Acts = Scenario> = { readonly [Act in keyof Acts]: () => Promise<void> }

/** Which orders to return. */
export interface RemoteOrderFilter {
  readonly clientOrderId?: string | undefined
  /** At most so many, from 1 to 1000. Default 1000: an assertion about all orders must not miss one. */
  readonly limit?: number | undefined
}

/** A gateway in another process that runs as a sandbox. Its methods are those of a {@link TestGateway}, over HTTP. */
export interface RemoteSandbox {
  readonly clock: {
    /** The gateway's time, in milliseconds since 1970. OAuth requests have to be signed with it. */
    now(): Promise<number>
    /** Advances the gateway's time. What falls due on the way is done, in order, before this resolves. */
    advance(duration: Duration): Promise<void>
  }
  /** Makes the next request of an operation go wrong: `await sandbox.next('sale').loseReplyAfterCommit()`. */
  next<K extends OperationKey>(operation: K): RemoteScenario<ScenarioOf<K>>
  /** Makes one order go wrong, and no other: `await sandbox.forOrder('invoice-112').callBackTwice()`. */
  forOrder(clientOrderId: string): RemoteScenario
  /** The faults that were asked for and have not happened yet, and those that happened. */
  faults(): Promise<ReturnType<FaultControl['list']>>
  /** Resolves when everything that was acknowledged is decided, and every callback that is due was tried. */
  settled(): Promise<void>
  /**
   * An order as the gateway has it: operations, postings, callbacks.
   *
   * @throws Error if there is no such order
   */
  order(clientOrderId: string): Promise<Timeline>
  /** Orders, the last changed first. */
  orders(filter?: RemoteOrderFilter): Promise<readonly Timeline[]>
  /**
   * Has the issuer take back what was sold or captured: all that is left, or this amount in major units.
   *
   * @throws Error if the gateway refuses it, with why
   */
  chargeback(
    orderId: string,
    amount?: string,
    caseId?: string,
  ): Promise<{ readonly ok: true; readonly operationId: string }>
  /** Sends all callbacks of an order again. Returns how many there are. */
  resendCallbacks(orderId: string): Promise<number>
  /** Forgets all orders, cards and nonces, and the faults that were asked for. The time stays. */
  reset(): Promise<void>
  /**
   * Fails if a fault of a reply or of an outcome was asked for and nothing met it.
   *
   * @throws UnusedScriptError
   */
  verify(): Promise<void>
}

/** Options of {@link sandboxAt}. */
export interface SandboxAtOptions {
  /** Shows only orders of the merchant with this login. Default: those of all merchants. */
  readonly login?: string | undefined
  /**
   * The operator key of the gateway, from the file operator.key beside its configuration. Default: the variable
   * `TALLYSTICK_OPERATOR_KEY`, which sets it for the gateway too.
   */
  readonly operatorKey?: string | undefined
}

/** Where `tallystick-gateway --sandbox` has its port for tests, unless it is configured. */
const USUAL = 'http://127.0.0.1:9465'

/**
 * Controls a gateway in another process from a test: `tallystick-gateway --sandbox`, in a container, say. Nothing is sent before
 * a method is called. Every method throws if no sandbox answers, or if the sandbox refuses what it is asked for.
 *
 * @param address of the sandbox's port for tests, as the gateway's log has it. Default: `http://127.0.0.1:9465`
 * @throws TypeError if the address is none, or an option is wrong
 */
export function sandboxAt(address: string | URL = USUAL, options: SandboxAtOptions = {}): RemoteSandbox {
  checkOptions('sandboxAt', options, { login: validator.text, operatorKey: validator.text })
  const { login, operatorKey = process.env['TALLYSTICK_OPERATOR_KEY'] } = options
  const port = { origin: originOf(address), operatorKey }
  const ask = async <Body>(path: string, body?: object) => requireDone(await askSandbox(port, path, body)) as Body
  const have = (asked: string, target: object) =>
    byAct(asked, async (fault) => void (await ask('/faults', { fault, ...target })))

  async function orders({ limit = MOST, ...filter }: RemoteOrderFilter = {}): Promise<readonly Timeline[]> {
    const found = await ask<{ readonly orders: readonly Timeline[] }>('/orders', { login, limit, ...filter })
    return found.orders
  }

  return {
    clock: {
      now: async () => Date.parse((await ask<{ readonly now: string }>('/clock')).now),
      advance: async (duration) => void (await ask('/clock/advance', { duration })),
    },
    next: <K extends OperationKey>(operation: K) => {
      requireOperation('sandbox.next', operation)
      return have(`sandbox.next('${operation}')`, { operation }) as RemoteScenario<ScenarioOf<K>>
    },
    forOrder: (clientOrderId) => {
      requireClientOrderId('sandbox.forOrder', clientOrderId)
      return have(`sandbox.forOrder('${clientOrderId}')`, { clientOrderId })
    },
    faults: () => ask<ReturnType<FaultControl['list']>>('/faults'),
    settled: async () => void (await ask('/settle', {})),
    order: async (clientOrderId) => {
      requireClientOrderId('sandbox.order', clientOrderId)
      const [order] = await orders({ clientOrderId, limit: 1 })
      if (order !== undefined) return order
      throw new Error(`The sandbox has no order ${clientOrderId}: nothing of it arrived, or it was refused`)
    },
    orders,
    chargeback: async (orderId, amount, caseId) => {
      const said = await askSandbox(port, `/orders/${orderId}/chargeback`, { amount, caseId })
      const { status, body, error } = said
      const result = status === 409 ? { ok: false, rule: body['rule'], reason: error } : requireDone(said)
      return requireCarriedOut('sandbox.chargeback', result as unknown as Awaited<ReturnType<Gateway['chargeback']>>)
    },
    resendCallbacks: async (orderId) =>
      (await ask<{ readonly callbacks: number }>('/callbacks/resend', { orderId })).callbacks,
    reset: async () => void (await ask('/reset', {})),
    verify: async () => {
      const list = await ask<ReturnType<FaultControl['list']>>('/faults')
      verify({ leftovers: () => unmet(list) })
    },
  }
}

/** More a sandbox does not list. */
const MOST = 1000

/** @throws TypeError */
function originOf(address: string | URL): string {
  const url = URL.parse(String(address))
  if (url !== null && /^https?:$/.test(url.protocol) && /^\/(__sandbox\/?)?$/.test(url.pathname)) return url.origin
  throw new TypeError(
    `sandboxAt: the address must be scheme, host and port, such as ${USUAL}; it is ${String(address)}`,
  )
}

/** Faults of callbacks, of the issuer and of pages stay on the gateway's list when they have happened. */
function unmet({ next, orders }: ReturnType<FaultControl['list']>): readonly string[] {
  const waiting = next.map(({ operation, fault }) => `sandbox.next('${operation}').${actOf(fault)}()`)
  const spared = orders.flatMap(({ clientOrderId, fault }) =>
    ['reply', 'outcome'].includes(FAULTS[fault].acts) ? `sandbox.forOrder('${clientOrderId}').${actOf(fault)}()` : [],
  )
  return [...waiting, ...spared]
}

/** What a sandbox said: its HTTP status, the JSON that it answered with, and what it says is wrong. */
interface Said {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly error: string | undefined
}

/** The port of a sandbox. */
interface SandboxPort {
  /** Scheme, host and port. */
  readonly origin: string
  /** Has to be sent if the gateway runs as a process of its own. */
  readonly operatorKey: string | undefined
}

/**
 * Sends a request of the sandbox: a POST with this body as JSON, or a GET without one.
 *
 * @throws Error if no sandbox answers, or if it fails
 */
async function askSandbox({ origin, operatorKey }: SandboxPort, path: string, sent?: object): Promise<Said> {
  const request = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }
  const admission = operatorKey === undefined ? {} : { authorization: `Bearer ${operatorKey}` }
  const options = { redirect: 'manual', headers: { ...ONCE, ...admission }, ...request } as const
  const reply = await fetch(`${origin}/__sandbox${path}`, options).catch((cause: Error) => {
    throw new Error(`No sandbox answers at ${origin}: ${reasonOf(cause)}. ${WHERE}`, { cause })
  })
  const { status, statusText } = reply
  const body = objectIn(await reply.text())
  const error = typeof body?.['error'] === 'string' ? body['error'] : undefined
  if (body === undefined || (status !== 200 && error === undefined))
    throw new Error(`What answers at ${origin} is no sandbox: ${status} ${statusText}. ${WHERE}`)
  if (status >= 500) throw new Error(`The sandbox failed at ${path}: ${error}`)
  return { status, body, error }
}

/** A second request of a connection would wait for `setImmediate`, which a test may have faked. */
const ONCE = { connection: 'close' }

/** @throws TypeError with what the sandbox says is wrong with the request */
function requireDone({ status, body, error }: Said): Said['body'] {
  if (status === 200) return body
  if (status === 401)
    throw new TypeError(
      'The sandbox wants the operator key of its gateway: give operatorKey, or set TALLYSTICK_OPERATOR_KEY',
    )
  throw new TypeError(`The sandbox refused it: ${error}`)
}

const WHERE =
  'Run tallystick-gateway with --sandbox, and give the address of its port for tests, which its log names in the line "listening".'

/**
 * `fetch` only says that it failed. Its cause has the reason or, if several addresses were tried, its code alone. OpenSSL's own
 * reasons are lines of its source.
 */
function reasonOf({ message, cause }: Error): string {
  const { message: reason, code } = (cause ?? {}) as { readonly message?: string; readonly code?: string }
  return (code?.startsWith('ERR_SSL_') ? code : reason) || code || message
}

function objectIn(text: string): Said['body'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Said['body']) : undefined
  } catch {
    return undefined
  }
}
