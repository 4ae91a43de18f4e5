import { allowedActions, maskCardNumbers, type Profile } from '@tallystick/core'
import { shownAddress } from '../callbacks/deliverer.ts'
import type { Posting } from '../ledger/ledger.ts'
import { majorUnits } from '../orders/amounts.ts'
import { lastOperation, ruledOrder } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { shownOrder } from '../orders/shown-order.ts'
import type { Delivery } from '../store/delivery.ts'
import type { OperatorRecord } from '../store/operator-record.ts'
import type { OrderTask } from '../store/store.ts'

/** An order in a list, as plain JSON: amounts in major units, times in ISO 8601, no card number, and nothing of the payer. */
export type OrderSummary = ReturnType<typeof summaryOf>

/** What is known about an order, as plain JSON. */
export type OrderHistory = ReturnType<typeof historyOf>

/** @param at now, in milliseconds since 1970 */
export function summaryOf(order: StoredOrder, profile: Profile, at: number) {
  const { orderId, clientOrderId, login, endpointId, createdAt, terms, details } = order
  const last = lastOperation(order)
  const { status, transactionType, orderStage, amount, initialAmount } = shownOrder(order, last, profile, at)
  return {
    orderId,
    clientOrderId,
    login,
    endpointId,
    createdAt: timeOf(createdAt),
    status,
    transactionType,
    orderStage,
    amount,
    initialAmount,
    currency: terms.currency,
    card: shownCard(details.card),
    destination: shownCard(details.destination),
  }
}

interface HistoryParts {
  readonly order: StoredOrder
  readonly postings: readonly Posting[]
  readonly deliveries: readonly Delivery[]
  readonly tasks: readonly OrderTask[]
  /** The latest first. */
  readonly records: readonly OperatorRecord[]
  readonly profile: Profile
  /** Now, in milliseconds since 1970. */
  readonly at: number
}

export function historyOf({ order, postings, deliveries, tasks, records, profile, at }: HistoryParts) {
  return {
    ...summaryOf(order, profile, at),
    operations: order.operations.map((operation) => shownOperation(operation, order, profile)),
    postings: postings.map((posting) => shownPosting(posting, profile)),
    callbacks: deliveries.map((delivery) => ({ ...shownDelivery(delivery), address: shownAddress(delivery) })),
    tasks: tasks.map(shownTask),
    records: records.toReversed().map(({ at: recordedAt, ...record }) => ({ at: timeOf(recordedAt), ...record })),
  }
}

function shownOperation(operation: StoredOperation, { terms }: StoredOrder, profile: Profile) {
  const { id, kind, amount, status, createdAt, statusAt, serialNumber, outcome } = operation
  const { awaits, comment, errorMessage, ...known } = outcome
  return {
    id,
    kind,
    amount: majorUnits(amount, terms.currency, profile),
    status,
    createdAt: timeOf(createdAt),
    statusAt: timeOf(statusAt),
    serialNumber,
    ...known,
    errorMessage: masked(errorMessage),
    comment: masked(comment),
    awaits: awaits?.step,
  }
}

function shownPosting({ operationId, account, amount, currency, at }: Posting, profile: Profile) {
  return { operationId, account, amount: signed(amount, currency, profile), currency, at: timeOf(at) }
}

/** Without the address: it holds the parameters with their control. */
export function shownDelivery({ id, createdAt, dueAt, made, firstAt, state, lastAnswer, givenUpAt }: Delivery) {
  return {
    id,
    state,
    attempts: made,
    lastAnswer,
    createdAt: timeOf(createdAt),
    firstAt: firstAt === undefined ? undefined : timeOf(firstAt),
    dueAt: dueAt === undefined ? undefined : timeOf(dueAt),
    givenUpAt: givenUpAt === undefined ? undefined : timeOf(givenUpAt),
  }
}

function shownTask({ id, kind, dueAt, tried }: OrderTask) {
  return { id, kind, dueAt: timeOf(dueAt), tried }
}

function shownCard(card: StoredOrder['details']['card'] | StoredOrder['details']['destination']) {
  if (card === undefined) return undefined
  const { bin, lastFourDigits, cardType } = card
  return { bin, lastFourDigits, cardType }
}

/** The amount of a posting may be negative. */
function signed(amount: bigint, currency: string, profile: Profile): string {
  return amount < 0n ? `-${majorUnits(-amount, currency, profile)}` : `${majorUnits(amount, currency, profile)}`
}

function masked(text: string | undefined): string | undefined {
  return text === undefined ? undefined : maskCardNumbers(text)
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

/** An order with all that is known about it, as plain JSON: amounts in major units, times in ISO 8601, no card number. */
export type Timeline = ReturnType<typeof timelineOf>

interface TimelineParts extends Omit<HistoryParts, 'records'> {
  /** The faults of the order, by name. */
  readonly faults: readonly string[]
}

export function timelineOf({ order, postings, deliveries, tasks, faults, profile, at }: TimelineParts) {
  return {
    ...summaryOf(order, profile, at),
    faults,
    operations: order.operations.map((operation) => shownOperation(operation, order, profile)),
    postings: postings.map((posting) => shownPosting(posting, profile)),
    callbacks: deliveries.map((delivery) => ({ ...shownDelivery(delivery), ...calledWith(delivery) })),
    tasks: tasks.map(shownTask),
    actions: shownActions(order, profile, at),
  }
}

/** What may be done with the order now, and of the rest why not: a sum in major units, or the rule that refuses it. */
function shownActions(order: StoredOrder, profile: Profile, at: number) {
  return allowedActions(ruledOrder(order), at).map((advice) => {
    if (!advice.allowed || !('upTo' in advice)) return advice
    return { ...advice, upTo: majorUnits(advice.upTo, order.terms.currency, profile) }
  })
}

/** What the callback reports, for tests. */
function calledWith({ url }: Delivery) {
  // The merchant's own query may hold a further question mark. What the callback reports comes after it.
  const query = url.indexOf('?')
  return {
    address: masked(url.slice(0, query)),
    parameters: Object.fromEntries([...new URLSearchParams(url.slice(query))].map(shownParameter)),
  }
}

/** An order id has as many digits as a card number, and may pass its check: it is the only value that is never masked. */
function shownParameter([name, value]: [string, string]): [string, string] {
  return [name, name === 'orderid' ? value : maskCardNumbers(value)]
}
