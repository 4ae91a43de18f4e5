import { type Answer, asyncReply } from '../http/answer.ts'
import type { StoredOrder } from '../orders/order.ts'
import { openingOperation } from '../orders/shown-order.ts'

/** The acknowledgement of the request that opened an order: a repeat gets the very same (gaps part 13). */
export function acknowledged(order: StoredOrder): Answer {
  const { clientOrderId, orderId, endpointId } = order
  return asyncReply({ serialNumber: openingOperation(order).serialNumber, clientOrderId, orderId, endpointId })
}
