import type { StoredOperation, StoredOrder } from './order.ts'

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
