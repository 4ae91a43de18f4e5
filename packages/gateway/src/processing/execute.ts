import { exponentOf, maskSent, withoutSentCvv } from '@tallystick/core/internal'
import type {
  Acquirer,
  Decision,
  OperationRequest,
  PastOperation,
  PaymentMethod,
  PaymentOrigin,
  Token,
  TokenizationRefused,
  TokenizationRequest,
} from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { openingOperation } from '../orders/operations.ts'
import type { PastPayment, StoredOperation, StoredOrder } from '../orders/order.ts'
import { referencesOf } from '../orders/shown-order.ts'
import { ANSWER_WITHIN_MS, inTime, isTooLate, retryWithBackoff } from '../runtime/tasks.ts'
import { type AskedOperation, decisionOf, shownMessage } from './decision.ts'
import { settle, storedOrder } from './settle.ts'

/** No request is on its way to the acquirer for longer than this, counted from the last write of the operation. */
export const ON_THE_WAY_FOR_MS = 900_000

/**
 * Carries out an operation that was written as sent, and writes its outcome. A process that the others consider dead sends
 * nothing: one of them looks the operation up, and it must not be carried out after that. Failures are reported.
 */
export async function execute(asked: AskedOperation, service: Service): Promise<void> {
  const { id, serialNumber } = asked.operation
  if (service.store.cluster?.isAlive() === false) {
    const cutOff = `Operation ${id} was not sent: this process was cut off from the store for too long`
    return service.onError(new Error(cutOff), serialNumber)
  }
  const { acquirer } = service
  await conclude(
    asked,
    () =>
      decisionOf(
        named('execute', () => acquirer.execute(asked.request)),
        asked,
        service,
      ),
    service,
  )
}

/** An operation that the acquirer is about to be asked about, as it was written with this order. */
export function askedOperation(
  order: StoredOrder,
  operation: StoredOperation,
  service: Pick<Service, 'profile'>,
): AskedOperation {
  const { card, destination, pages } = order.details
  return {
    orderId: order.orderId,
    written: new WeakRef(order),
    operation,
    request: operationRequest(order, operation, service),
    cards: [card, destination].flatMap((each) => (each === undefined ? [] : [{ cardId: each.cardId, bin: each.bin }])),
    hasCustomer: pages !== undefined && operation.id === openingOperation(order).id,
  }
}

/**
 * Gets and writes the outcome of an operation that was sent, or that continues after a 3DS step. Until it is written, the
 * operation is in `underWay`. Failures are reported.
 *
 * @param decide is let go once it is called, and with it what it tells the acquirer of the payer
 */
export function conclude(asked: AskedOperation, decide: () => Promise<Decision>, service: Service): Promise<void> {
  const { id, serialNumber } = asked.operation
  return service.background.runToEnd(() => {
    service.underWay.add(id)
    const stopWaiting = lookUpLater(asked, service)
    return writeOnceDecided(decide(), stopWaiting, asked, service)
  }, serialNumber)
}

async function writeOnceDecided(
  deciding: Promise<Decision>,
  stopWaiting: () => void,
  asked: AskedOperation,
  service: Service,
): Promise<void> {
  const { id, serialNumber } = asked.operation
  const decision = await deciding
  stopWaiting()
  const write = async () => {
    await settleAsked(asked, decision, service)
    service.underWay.delete(id)
  }
  await retryWithBackoff(write, service, serialNumber)
}

/** The order is read again unless the store still has it in memory, as it usually does. */
async function settleAsked(asked: AskedOperation, decision: Decision, service: Service): Promise<void> {
  const order = asked.written.deref() ?? (await storedOrder(asked.orderId, service))
  await settle(order, asked.operation, decision, service)
}

/**
 * If the acquirer does not answer an operation in time, its outcome becomes unknown, so that it is looked up. A later answer
 * still counts. After a 3DS step the look-up is already written.
 */
function lookUpLater(asked: AskedOperation, service: Service): () => void {
  const { id, kind, status, serialNumber } = asked.operation
  if (status !== 'sent') return () => {}
  return service.clock.schedule(ON_THE_WAY_FOR_MS, () =>
    service.background.runToEnd(async () => {
      service.onError(
        new Error(`The acquirer has not answered for 15 minutes what became of the ${kind} ${id}`),
        serialNumber,
      )
      await retryWithBackoff(() => settleAsked(asked, { status: 'unknown' }, service), service, serialNumber)
    }, serialNumber),
  )
}

/** An operation as the acquirer gets it. */
function operationRequest(
  order: StoredOrder,
  { id, kind, amount, token = '', outcome: { comment } }: StoredOperation,
  { profile }: Pick<Service, 'profile'>,
): OperationRequest {
  const { orderId, terms, details } = order
  const { pages } = details
  const browser = pages === undefined ? undefined : { baseUrl: profile.baseUrl, pageToken: pages.token }
  const { currency } = terms
  const decimals = exponentOf(currency, profile.exponents)
  const history = historyBefore(id, order)
  const origin = originOf(order)
  return { reference: id, kind, token, orderId, amount, currency, decimals, ...origin, history, comment, browser }
}

/** For whom an order is, whatever asks about it: each operation of it, and the form that is sent for it. */
export function originOf({ login, endpointId, clientOrderId, details }: OrderNames): PaymentOrigin {
  const { groupId, initiatedBy = 'cardholder', firstPayment } = details.origin ?? {}
  return { login, endpointId, groupId, clientOrderId, initiatedBy, firstPayment }
}

type OrderNames = Pick<StoredOrder, 'login' | 'endpointId' | 'clientOrderId' | 'details'>

function historyBefore(id: string, order: StoredOrder): readonly PastOperation[] {
  const index = order.operations.findIndex((operation) => operation.id === id)
  return order.operations.slice(0, index).map((operation) => {
    const { kind, status, amount } = operation
    return { ...pastOperation(order, operation), kind, status, amount }
  })
}

/** What was paid first, as an order knows it that others go on from. */
export function paidFirst(order: StoredOrder | undefined): PastPayment | undefined {
  if (order === undefined) return undefined
  const opening = openingOperation(order)
  const { firstPayment } = order.details.origin ?? {}
  return firstPayment ?? (opening.status === 'approved' ? pastOperation(order, opening) : undefined)
}

function pastOperation(
  { orderId, clientOrderId }: StoredOrder,
  { id, statusAt, outcome }: StoredOperation,
): PastPayment {
  return { reference: id, orderId, clientOrderId, at: statusAt, ...referencesOf(outcome) }
}

type PaymentToTokenize = PaymentOrigin & Pick<TokenizationRequest, 'kind' | 'amount' | 'currency'>

type Context = Pick<Service, 'acquirer' | 'clock' | 'profile'>

/**
 * Has the acquirer tokenize the payment method of a request. An answer after the request has timed out is of no use: the merchant may
 * have asked for the status since, found no order, and begun another. If there is none in time, that is reported: the request
 * itself only times out.
 *
 * @param request `at`: when it came
 * @throws Error if the acquirer fails, or its answer is too late
 */
export async function tokenize(
  paymentMethod: PaymentMethod,
  payment: PaymentToTokenize,
  { at, serialNumber }: { readonly at: number; readonly serialNumber?: string },
  service: Context & Pick<Service, 'onError'>,
): Promise<Token | TokenizationRefused> {
  const { clock, onError } = service
  const stopWaiting = clock.schedule(at + ANSWER_WITHIN_MS - clock.now(), () =>
    onError(new Error('The acquirer has not answered tokenize in the time of the request'), serialNumber),
  )
  const token = await askForToken(paymentMethod, payment, service).finally(stopWaiting)
  if (isTooLate(at, clock)) throw new Error('The acquirer took the card too late')
  return token
}

/**
 * What the acquirer returns for a payment method. In plain JavaScript it may return anything, and an order without a reference
 * could neither be written as sent nor looked up.
 *
 * @param withinMs how long to wait. Absent: the request has a limit of its own
 * @throws Error if it fails, TypeError if it returns neither a reference nor a reason
 */
export async function askForToken(
  paymentMethod: PaymentMethod,
  payment: PaymentToTokenize,
  { acquirer, clock, profile }: Context,
  withinMs?: number,
): Promise<Token | TokenizationRefused> {
  const decimals = exponentOf(payment.currency, profile.exponents)
  const token: Partial<Token & TokenizationRefused> | undefined = await named('tokenize', () => {
    const ask = async () => await acquirer.tokenize({ ...paymentMethod, ...payment, decimals, at: clock.now() })
    return withinMs === undefined ? ask() : inTime(ask(), clock, withinMs)
  })
  const { reference, authenticates, refused } = token ?? {}
  if (refused !== undefined) return { refused: reasonOf(refused, paymentMethod) }
  if (typeof reference === 'string') return { reference, authenticates: authenticates === true }
  throw new TypeError('The acquirer has returned no reference from tokenize: it must be a text')
}

/** What a merchant reads: without it they could not know what to change. The bank may quote the card, however it spells it. */
function reasonOf(refused: unknown, { card, destination }: PaymentMethod): string {
  const sent = [card?.pan, card?.cvv, destination?.pan].filter((each) => each !== undefined)
  const reason = shownMessage(typeof refused === 'string' ? withoutSentCvv(maskSent(refused, sent), sent) : refused)
  if (reason?.trim()) return reason
  throw new TypeError('The acquirer has refused in tokenize without a reason: refused must be a text')
}

type AcquirerMethod = keyof Omit<Acquirer, 'isSimulated'>

/**
 * Calls a method of the acquirer. Its failure is reported among many others, so it says which method failed. While the answer
 * is awaited nothing here holds what the method was called with.
 */
export function named<Answer>(method: AcquirerMethod, call: () => Promise<Answer>): Promise<Answer> {
  return new Promise<Answer>((resolve) => resolve(call())).catch(failureOf(method))
}

function failureOf(method: AcquirerMethod): (error: unknown) => never {
  return (error) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The acquirer has failed in ${method}: ${why}`, { cause: error })
  }
}
