import { maskCardNumbers, type Profile } from '@tallystick/core'
import type { Delivery } from '../callbacks/delivery.ts'
import type { Posting } from '../ledger/postings.ts'
import { majorUnits } from '../orders/amounts.ts'
import { lastOperation } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { shownOrder } from '../orders/shown-order.ts'
import type { OrderTask } from '../store/task.ts'

/** An order with all that is known about it, as plain JSON: amounts in major units, times in ISO 8601, no card number. */
export type Timeline = ReturnType<typeof timelineOf>

export interface TimelineParts {
  readonly order: StoredOrder
  readonly postings: readonly Posting[]
  readonly deliveries: readonly Delivery[]
  readonly tasks: readonly OrderTask[]
  /** The faults of the order, by name. */
  readonly faults: readonly string[]
  readonly profile: Profile
  /** Now, in milliseconds since 1970. */
  readonly at: number
}

export function timelineOf({ order, postings, deliveries, tasks, faults, profile, at }: TimelineParts) {
  const { orderId, clientOrderId, login, endpointId, createdAt, terms, details } = order
  const { status, transactionType, orderStage, amount, initialAmount } = shownOrder(
    order,
    lastOperation(order),
    profile,
    at,
  )
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
    faults,
    operations: order.operations.map((operation) => shownOperation(operation, order, profile)),
    postings: postings.map(({ operationId, account, amount: moved, currency, at }) => {
      return { operationId, account, amount: signed(moved, currency, profile), currency, at: timeOf(at) }
    }),
    callbacks: deliveries.map(shownDelivery),
    tasks: tasks.map(({ id, kind, dueAt, tried }) => ({ id, kind, dueAt: timeOf(dueAt), tried })),
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

function shownDelivery({ id, url, createdAt, dueAt, made, firstAt, state, lastAnswer }: Delivery) {
  // The merchant's own query may hold a further question mark. What the callback reports comes after it.
  const query = url.indexOf('?')
  return {
    id,
    address: masked(url.slice(0, query)),
    parameters: Object.fromEntries([...new URLSearchParams(url.slice(query))].map(shownParameter)),
    state,
    attempts: made,
    lastAnswer,
    createdAt: timeOf(createdAt),
    firstAt: firstAt === undefined ? undefined : timeOf(firstAt),
    dueAt: dueAt === undefined ? undefined : timeOf(dueAt),
  }
}

/** An order id has as many digits as a card number, and may pass its check: it is the only value that is never masked. */
function shownParameter([name, value]: [string, string]): [string, string] {
  return [name, name === 'orderid' ? value : maskCardNumbers(value)]
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
