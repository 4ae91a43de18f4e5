import type { StoredOrder } from '../orders/order.ts'
import type { OrderNames } from './store.ts'

/** Whether an order has all of these names. */
export function fitsNames(order: StoredOrder, { login, clientOrderId, orderId, serialNumber }: OrderNames): boolean {
  return (
    order.login === login &&
    order.clientOrderId === clientOrderId &&
    (orderId === undefined || order.orderId === orderId) &&
    (serialNumber === undefined || order.operations.some((operation) => operation.serialNumber === serialNumber))
  )
}
