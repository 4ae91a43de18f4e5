import { deriveOrder, type OperationStatus, type Order } from '@tallystick/core'
import { applyEvent, type OrderAction, type StateRefusal, TRANSITIONS } from '@tallystick/core/internal'
import type { OperationOutcome, StoredOperation, StoredOrder } from './order.ts'

/** @throws Error for an order without operations, which no store holds */
export function openingOperation({ orderId, operations }: StoredOrder): StoredOperation {
  const [opening] = operations
  if (opening === undefined) throw new Error(`The order ${orderId} has no operation`)
  return opening
}

/** @throws Error for an order without operations, which no store holds */
export function lastOperation({ orderId, operations }: StoredOrder): StoredOperation {
  const last = operations.at(-1)
  if (last === undefined) throw new Error(`The order ${orderId} has no operation`)
  return last
}

/** @throws Error if the order has no such operation: the caller has read another order */
export function operationOf(order: StoredOrder, id: string): StoredOperation {
  const operation = order.operations.find((each) => each.id === id)
  if (operation === undefined) throw new Error(`The order ${order.orderId} has no operation ${id}`)
  return operation
}

/** The order without the operations after this one. */
export function upTo(order: StoredOrder, operation: StoredOperation): StoredOrder {
  return { ...order, operations: order.operations.slice(0, order.operations.indexOf(operation) + 1) }
}

/** Unique in the gateway. The acquirer knows the operation by this id. */
export function operationId(orderId: string, index: number): string {
  return `${orderId}-${index + 1}`
}

/** The order that an operation belongs to, by the operation's id. */
export function orderIdOf(id: string): string {
  return id.replace(/-\d+$/, '')
}

/** The order as the rules see it. A check that was reported as expired stays expired, even if a clock is behind. */
export function ruledOrder({ operations, terms }: StoredOrder): Order {
  const order = deriveOrder(operations, terms)
  return operations[0]?.outcome.isExpired ? { ...order, checkExpiresAt: Number.NEGATIVE_INFINITY } : order
}

/** A new operation, or why the rules refuse it. */
type Appended =
  | { readonly ok: true; readonly order: StoredOrder; readonly operation: StoredOperation }
  | { readonly ok: false; readonly refusal: StateRefusal }

/** A request to act on an order. */
interface AppendTerms {
  readonly action: OrderAction
  readonly at: number
  readonly serialNumber: string
  /** In minor units. Absent: all that is left. */
  readonly amount?: bigint | undefined
  readonly currency?: string | undefined
  /** Why, in the merchant's words. */
  readonly comment?: string | undefined
}

/** Appends the operation of an action, as `sent`: it goes to the acquirer once the change is written. */
export function appendOperation(order: StoredOrder, { serialNumber, comment, ...terms }: AppendTerms): Appended {
  const id = operationId(order.orderId, order.operations.length)
  const applied = applyEvent(ruledOrder(order), { type: 'append', id, ...terms })
  if (!applied.allowed) return { ok: false, refusal: applied }
  const { token } = order.operations[0] ?? {}
  const created: StoredOperation = { ...applied.operation, serialNumber, token, outcome: { comment } }
  const appended = { ...order, operations: [...order.operations, created], version: order.version + 1 }
  return { ok: true, ...advanced(appended, id, { status: 'sent', at: terms.at }) }
}

interface Advance {
  readonly status: StoredOperation['status']
  readonly at: number
  /** The new outcome. Absent: the outcome stays. */
  readonly outcome?: OperationOutcome
  /** The acquirer's reference, if it has got the card now. Absent: what there was stays. */
  readonly token?: string
}

/** The order with one operation moved to a status. If it has that status already, only its outcome changes. */
export function advanceOperation(order: StoredOrder, id: string, step: Advance) {
  return advanced({ ...order, version: order.version + 1 }, id, step)
}

function advanced(order: StoredOrder, id: string, { status, at, outcome, token }: Advance) {
  const current = operationOf(order, id)
  if (current.status !== status) requireStep(current.status, status)
  const statusAt = current.status === status ? current.statusAt : at
  const kept = { token: token ?? current.token, outcome: outcome ?? current.outcome }
  const operation = { ...current, status, statusAt, ...kept }
  const operations = order.operations.map((each) => (each === current ? operation : each))
  return { order: { ...order, operations }, operation }
}

/** Only the state machine of the operation decides about its steps, so no order has to be derived. */
function requireStep(from: OperationStatus, to: OperationStatus): void {
  const next: readonly OperationStatus[] = TRANSITIONS[from]
  if (!next.includes(to)) throw new Error(`An operation that is ${from} does not become ${to}`)
}
