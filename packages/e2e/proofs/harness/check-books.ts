import { isFinalStatus } from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import type { Delivery, Store, StoredOperation, StoredOrder } from '@tallystick/gateway/store'
import { auditOrder } from '../../../gateway/src/ledger/ledger.ts'
import { type Action, type Actions, actionsIn, type Entry } from './bank.ts'
import { LOGIN } from './processes.ts'

const ALL = 10_000_000

/**
 * Compares a gateway's books at the end with the bank's, and its callbacks with what the merchant has acknowledged.
 *
 * @param hasHeard whether the merchant has acknowledged the callback with this address. Absent: callbacks are not checked
 */
export async function checkBooks(store: Store, journal: readonly Entry[], hasHeard?: (url: string) => boolean) {
  const orders = await store.recentOrders(LOGIN, ALL)
  const actions = actionsIn(journal)
  const findings = [...checkCalls(journal), ...orders.flatMap(withoutOutcome), ...lostSightOf(actions, orders)]
  findings.push(...repeated(orders.map(({ clientOrderId }) => clientOrderId)).map((id) => `${id}: two orders`))
  let count = 0
  for (const order of orders) {
    findings.push(...(await checkOrder(order, actions, store)))
    if (hasHeard === undefined) continue
    const deliveries = await store.deliveriesOf(order.orderId)
    count += deliveries.length
    findings.push(...checkDeliveries(order, deliveries, hasHeard))
  }
  return { orders, deliveries: count, findings }
}

/** Looks into a store that nobody else has open, and closes it. */
export async function within<Result>(store: Store, look: (store: Store) => Promise<Result>): Promise<Result> {
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** The gateway's faults by the bank's journal: something was sent twice, or after the bank had denied it. */
export function checkCalls(journal: readonly Entry[]): readonly string[] {
  const wrong = journal.filter(({ did }) => did === 'repeat' || did === 'too late')
  return wrong.map(({ did, reference }) => `${reference}: sent to the bank ${did === 'repeat' ? 'twice' : did}`)
}

/** What is wrong with an order, in its own books or compared with the bank's. */
export async function checkOrder(order: StoredOrder, actions: Actions, store: Store): Promise<readonly string[]> {
  const own = auditOrder(order, await store.postingsOf(order.orderId))
  const between = order.operations.flatMap((operation) => againstBank(operation, order, actions))
  return [...own, ...between].map((finding) => `order ${order.orderId}: ${finding}`)
}

/** An operation approved here must be approved there, with the same kind and amount. */
function againstBank(operation: StoredOperation, { terms }: StoredOrder, actions: Actions) {
  const { id, kind, amount, status } = operation
  const action = actions.get(id)
  if (action === undefined) return status === 'approved' ? [`${id} is approved, and the bank knows nothing of it`] : []
  if (action.kind !== kind || action.amount !== amount || action.currency !== terms.currency) {
    return [`${id} is ${kind} ${amount}, and the bank did ${action.kind} ${action.amount}`]
  }
  return isOpen(status) || action.decision.status === status || isAbandoned(operation, action)
    ? []
    : [`${id} is ${status}, and for the bank ${action.decision.status}`]
}

/** Whether the customer did not come back: the bank waits for ever, and moves nothing without an authentication. */
function isAbandoned({ status, outcome }: StoredOperation, { decision }: Action): boolean {
  const isAbsent = status === 'declined' && outcome.errorCode === GATEWAY_CODES.customerAbsent
  return isAbsent && decision.status === 'processing'
}

function isOpen(status: StoredOperation['status']): boolean {
  return status === 'sent' || status === 'unknown' || status === 'processing'
}

/** Operations that should have an outcome by now and have none. One that waits for the customer may wait for ever. */
function withoutOutcome({ orderId, operations }: StoredOrder): readonly string[] {
  return operations
    .filter(({ status, outcome }) => isOpen(status) && outcome.awaits === undefined)
    .map(({ id, status }) => `order ${orderId}: ${id} is ${status} still`)
}

/** What the bank did and no order has: money that was moved and lost sight of. */
function lostSightOf(actions: Actions, orders: readonly StoredOrder[]): readonly string[] {
  const known = new Set(orders.flatMap(({ operations }) => operations.map(({ id }) => id)))
  return [...actions.keys()].filter((id) => !known.has(id)).map((id) => `${id}: the bank did it, and no order has it`)
}

/**
 * Each operation that has ended must have its callback, acknowledged by the merchant. That of a payout in two steps comes with
 * the second.
 */
function checkDeliveries(
  { orderId, details, operations }: StoredOrder,
  deliveries: readonly Delivery[],
  hasHeard: (url: string) => boolean,
): readonly string[] {
  const written = new Set(deliveries.map(({ id }) => id))
  const due = details.addresses.notifyUrl === undefined ? [] : operations
  return [
    ...due
      .filter(({ kind, status }) => isFinalStatus(status) && (kind !== 'payout-check' || status !== 'approved'))
      .filter(({ id }) => !written.has(id))
      .map(({ id }) => `order ${orderId}: no callback of ${id}`),
    ...deliveries
      .filter(({ state, url }) => state !== 'acknowledged' || !hasHeard(url))
      .map(({ id, state }) => `order ${orderId}: the callback of ${id} is ${state}, and nobody has heard it`),
  ]
}

/** The names that occur more than once, each as often as it is repeated. */
export function repeated(names: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return names.filter((name) => {
    const isAgain = seen.has(name)
    seen.add(name)
    return isAgain
  })
}
