import { createPaymentClient, type PaymentClient, type PaymentClientOptions, type Transport } from '@tallystick/client'
import type { Endpoint, OperationKey, Profile, Recorder, Secret } from '@tallystick/core'
import type { Clock, FinalDecision, Gateway, Operator, Timeline, VirtualClock } from '@tallystick/gateway'
import type { BrowserForm } from '../browser-form.ts'
import type { TestCard } from '../cards.ts'
import { clientClock } from '../clocks.ts'
import { requireClientOrderId, requireOperation } from '../options/check-fields.ts'
import type { CustomerAnswer } from '../simulated-issuer.ts'
import { verify, willBeVerified } from '../unused-scripts.ts'
import type { Fetch } from './direct-transport.ts'
import type { Door } from './open-door.ts'
import { payOnPages } from './pay-on-pages.ts'
import { requireCarriedOut, type Scenario, type ScenarioOf, scenario } from './scenario.ts'
import type { UnmetFaults } from './unmet-faults.ts'
import { warnOfFakedTimers } from './warnings.ts'

/** What a shop gets from its gateway: everything that {@link PaymentClientOptions} need. */
export interface TestMerchant {
  /** With the path prefix: `http://127.0.0.1:40123/paynet`. */
  readonly baseUrl: string
  readonly login: string
  /** The control key. Prints masked, like all secrets; `reveal()` gives the text. */
  readonly controlKey: Secret
  /** The RSA key in PEM, for the operations that are signed with it. Prints masked. */
  readonly privateKey: Secret
  /** The id of its one endpoint, as text. */
  readonly endpointId: string
  /** The transport to a gateway without a socket; absent if it has one. A new one each time that it is read. */
  readonly transport?: Transport
}

/**
 * A gateway in this process, with what a test needs. Amounts that it shows are texts in major units: `'10.42'`.
 */
export interface TestGateway<C extends Clock = VirtualClock> extends Gateway<C>, AsyncDisposable {
  /**
   * The options of a client of its one merchant: `createPaymentClient({ ...gateway.merchant })`. They only have the address: for
   * a gateway with a `profile`, give the client `defineProfile({ ...profile, baseUrl })` instead.
   */
  readonly merchant: TestMerchant
  /**
   * A client of the merchant with the gateway's clock and profile, closed with the gateway. A new one at each call.
   *
   * @param changes options of `createPaymentClient` to change: `{ timeoutMs: 50 }`
   * @throws TypeError for a wrong option
   */
  client(changes?: Partial<Omit<PaymentClientOptions, 'baseUrl' | 'profile' | keyof Endpoint>>): PaymentClient
  /** Where the workbench is, if it was asked for, with the key in it: for a browser of this machine. */
  readonly workbench: string | undefined
  /** Opens the gateway's pages, with a socket or without. Redirects are returned, not followed. */
  readonly fetch: Fetch
  /**
   * Plays the customer on the gateway's pages: fills in the card, goes through 3DS if the bank asks, and gives the form that
   * takes the browser back to the shop. By then the payment is decided, and the gateway has called back.
   *
   *     const { to, fields } = await gateway.payOnPages(form, cards.threeDsChallenge)
   *     await fetch(to, { method: 'POST', body: new URLSearchParams(fields) })
   *
   * @param address where the shop sends the browser: the `redirectUrl` of a form, or of a sale that the gateway leads through 3DS
   * @param answer what the customer does at the bank. Default `confirms`
   * @throws TypeError if this is no page of this gateway
   * @throws Error if a page does not accept the card, or has no form to continue
   */
  payOnPages(address: string, card: TestCard, answer?: CustomerAnswer): Promise<BrowserForm>
  /**
   * Makes the next request of an operation go wrong: `gateway.next('sale').loseReplyAfterCommit()`. `verify` fails if nothing
   * met the fault.
   *
   * @throws TypeError if there is no such operation or no such fault
   */
  next<K extends OperationKey>(operation: K): ScenarioOf<K>
  /**
   * Makes one order go wrong, and no other: `gateway.forOrder(sale.clientOrderId).callBackTwice()`. `verify` fails if the order
   * never comes.
   *
   * @throws TypeError if there is no such fault
   */
  forOrder(clientOrderId: string): Scenario
  /**
   * An order as the gateway has it: operations, postings, callbacks.
   *
   * @throws Error if the merchant has no such order
   */
  order(clientOrderId: string): Promise<Timeline>
  /**
   * All orders, the last changed first.
   *
   * @throws TypeError if the gateway is no sandbox, as for `order`
   */
  orders(): Promise<readonly Timeline[]>
  /**
   * Has the issuer take back what was sold or captured: all that is left, or this amount in major units. Calls with the same
   * `caseId` count once.
   *
   * @throws Error if the gateway refuses it, with why
   */
  chargeback(
    orderId: string,
    amount?: string,
    caseId?: string,
  ): Promise<{ readonly ok: true; readonly operationId: string }>
  /**
   * Records the outcome of an operation that has none, as an operator learned it from the acquirer.
   *
   * @throws Error if the gateway refuses it, with why
   */
  recordOutcome(operationId: string, decision: FinalDecision, by?: Operator): Promise<{ readonly ok: true }>
  /**
   * Sends all callbacks of an order again, even those that were acknowledged. Returns how many there are.
   *
   * @throws Error if there is no such order, unless the gateway is no sandbox
   */
  resendCallbacks(orderId: string): Promise<number>
  /**
   * Fails if nothing met a fault: no request of `next` or no such order came, no reply or outcome had the fault, a fault of
   * callbacks is for an order without a callback address, or nothing was returned that could be charged back.
   *
   * @throws UnusedScriptError
   */
  verify(): void
}

interface TestParts {
  readonly door: Door
  readonly merchant: TestMerchant
  readonly profile: Profile
  readonly unmet: UnmetFaults
  /** Where its clients record their calls. */
  readonly recorder: Recorder | undefined
  readonly shown: { readonly address: string; close(): Promise<void> } | undefined
  readonly closed: (() => void) | undefined
}

/** More orders than any test makes. */
const ALL = 10_000

/** Adds to a gateway what a test needs. */
export function testGateway<C extends Clock>(
  gateway: Gateway<C>,
  { door, merchant, profile, unmet, recorder, shown, closed }: TestParts,
): TestGateway<C> {
  const { clock, faults } = gateway
  const clients = new Set<PaymentClient>()
  const scripted = { leftovers: () => unmet.leftovers(faults.list()) }
  const closeAll = async () => {
    await Promise.all([...clients].map((client) => client.close()))
    await Promise.all([door.close(), shown?.close()])
    await gateway.close()
    closed?.()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  return {
    ...gateway,
    merchant,
    workbench: shown?.address,
    fetch: door.fetch,
    payOnPages: (address, card, answer = 'confirms') =>
      payOnPages(address, { card, answer }, { ...door, settled: gateway.settled }),
    client: (changes) => {
      if (door.transport === undefined) warnOfFakedTimers()
      const { baseUrl: _, ...known } = merchant
      const client = createPaymentClient({ clock: clientClock(clock), recorder, ...known, profile, ...changes })
      clients.add(client)
      return client
    },
    next: <K extends OperationKey>(operation: K) => {
      requireOperation('gateway.next', operation)
      willBeVerified(scripted)
      return scenario(`gateway.next('${operation}')`, (fault) => {
        faults.next(operation, fault)
        unmet.askedNext(operation, fault)
      }) as ScenarioOf<K>
    },
    forOrder: (clientOrderId) =>
      scenario(`gateway.forOrder('${clientOrderId}')`, (fault) => {
        faults.forOrder(clientOrderId, fault)
        willBeVerified(scripted)
      }),
    order: (clientOrderId) => orderOf(gateway, clientOrderId),
    chargeback: async (...asked) => requireCarriedOut('gateway.chargeback', await gateway.chargeback(...asked)),
    recordOutcome: async (operationId, decision, by = { who: 'a test', why: '' }) =>
      requireCarriedOut('gateway.recordOutcome', await gateway.recordOutcome(operationId, decision, by)),
    resendCallbacks: async (orderId) => {
      await requireOrder(gateway, orderId)
      return await gateway.resendCallbacks(orderId)
    },
    orders: () => sandboxOf(gateway).orders({ limit: ALL }),
    verify: () => verify(scripted),
    close,
    [Symbol.asyncDispose]: async () => {
      try {
        await close()
      } finally {
        verify(scripted)
      }
    },
  }
}

function sandboxOf({ sandbox }: Pick<Gateway, 'sandbox'>) {
  if (sandbox !== undefined) return sandbox
  throw new TypeError('only a sandbox shows orders: leave out sandbox: false')
}

async function orderOf(gateway: Pick<Gateway, 'sandbox'>, clientOrderId: string): Promise<Timeline> {
  requireClientOrderId('gateway.order', clientOrderId)
  const [order] = await sandboxOf(gateway).orders({ clientOrderId, limit: 1 })
  if (order !== undefined) return order
  throw new Error(`The merchant has no order ${clientOrderId}: nothing of it arrived, or it was refused`)
}

async function requireOrder({ sandbox }: Pick<Gateway, 'sandbox'>, orderId: string): Promise<void> {
  if (sandbox === undefined || (await sandbox.order(orderId)) !== undefined) return
  throw new Error(
    `gateway.resendCallbacks: there is no order ${orderId}; it takes the gateway's id of the order, not the merchant's`,
  )
}
