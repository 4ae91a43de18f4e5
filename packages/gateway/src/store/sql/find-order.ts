import type { StoredOrder } from '../../orders/order.ts'
import { fitsNames } from '../matches.ts'
import type { OrderNames } from '../store.ts'

type Found = StoredOrder | undefined | Promise<StoredOrder | undefined>

export interface OrderLookUps {
  readonly byId: (orderId: string) => Found
  /** The youngest of the merchant's orders with one client order id. */
  readonly youngest: (names: OrderNames) => Found
  readonly idBySerialNumber: (names: OrderNames) => Promise<string | undefined>
}

/** The merchant's order with these names. */
export async function findOrder(
  names: OrderNames,
  { byId, youngest, idBySerialNumber }: OrderLookUps,
): Promise<StoredOrder | undefined> {
  if (names.orderId === undefined && names.serialNumber === undefined) return youngest(names)
  const orderId = names.orderId ?? (await idBySerialNumber(names))
  const order = orderId === undefined ? undefined : await byId(orderId)
  return order !== undefined && fitsNames(order, names) ? order : undefined
}
