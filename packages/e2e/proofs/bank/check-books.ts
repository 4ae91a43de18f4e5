import { GATEWAY_CODES } from '@tallystick/core'
import type { Store, StoredOperation, StoredOrder } from '@tallystick/gateway'
import { auditOrder } from '../../../gateway/src/ledger/ledger.ts'
import type { Deed, Deeds, Entry } from './journal.ts'

/** The gateway's faults by the bank's journal: something was sent twice, or after the bank had denied it. */
export function checkCalls(journal: readonly Entry[]): readonly string[] {
  const wrong = journal.filter(({ did }) => did === 'repeat' || did === 'too late')
  return wrong.map(({ did, reference }) => `${reference}: sent to the bank ${did === 'repeat' ? 'twice' : did}`)
}

/** What is wrong with an order, in its own books or compared with the bank's. */
export async function checkOrder(order: StoredOrder, deeds: Deeds, store: Store): Promise<readonly string[]> {
  const own = auditOrder(order, await store.postingsOf(order.orderId))
  const between = order.operations.flatMap((operation) => againstBank(operation, order, deeds))
  return [...own, ...between].map((finding) => `order ${order.orderId}: ${finding}`)
}

/** An operation approved here must be approved there, with the same kind and amount. */
function againstBank(operation: StoredOperation, { terms }: StoredOrder, deeds: Deeds) {
  const { id, kind, amount, status } = operation
  const deed = deeds.get(id)
  if (deed === undefined) return status === 'approved' ? [`${id} is approved, and the bank knows nothing of it`] : []
  if (deed.kind !== kind || deed.amount !== amount || deed.currency !== terms.currency) {
    return [`${id} is ${kind} ${amount}, and the bank did ${deed.kind} ${deed.amount}`]
  }
  return isOpen(status) || deed.decision.status === status || isAbandoned(operation, deed)
    ? []
    : [`${id} is ${status}, and for the bank ${deed.decision.status}`]
}

/** Whether the customer did not come back: the bank waits for ever, and moves nothing without an authentication. */
function isAbandoned({ status, outcome }: StoredOperation, { decision }: Deed): boolean {
  const isAbsent = status === 'declined' && outcome.errorCode === GATEWAY_CODES.customerAbsent
  return isAbsent && decision.status === 'processing'
}

function isOpen(status: StoredOperation['status']): boolean {
  return status === 'sent' || status === 'unknown' || status === 'processing'
}

/** Operations that should have an outcome by now and have none. One that waits for the customer may wait for ever. */
export function withoutOutcome({ orderId, operations }: StoredOrder): readonly string[] {
  return operations
    .filter(({ status, outcome }) => isOpen(status) && outcome.awaits === undefined)
    .map(({ id, status }) => `order ${orderId}: ${id} is ${status} still`)
}

/** What the bank did and no order has: money that was moved and lost sight of. */
export function lostSightOf(deeds: Deeds, orders: readonly StoredOrder[]): readonly string[] {
  const known = new Set(orders.flatMap(({ operations }) => operations.map(({ id }) => id)))
  return [...deeds.keys()].filter((id) => !known.has(id)).map((id) => `${id}: the bank did it, and no order has it`)
}

/** Client order ids that two orders have. */
export function doubled(orders: readonly StoredOrder[]): readonly string[] {
  return repeated(orders.map(({ clientOrderId }) => clientOrderId)).map((id) => `${id}: two orders`)
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
