import { type Answer, asyncReply } from '../http/answer.ts'
import type { StoredOrder } from '../orders/order.ts'
import { threeDsAddress } from '../orders/shown-authentication.ts'
import { openingOperation } from '../orders/shown-order.ts'
import type { ProcessContext } from './processor.ts'

/**
 * The acknowledgement of the request that opened an order: a repeat gets the very same (gaps part 13). Where the customer
 * will authenticate on the gateway's pages, it tells their address (interface part 2).
 */
export function acknowledged({ profile }: Pick<ProcessContext, 'profile'>): (order: StoredOrder) => Answer {
  return (order) => {
    const { clientOrderId, orderId, endpointId, details } = order
    const { pages } = details
    const redirectUrl = pages?.threeDs === 'redirect' ? threeDsAddress(pages, profile.baseUrl) : undefined
    const { serialNumber } = openingOperation(order)
    return asyncReply({ serialNumber, clientOrderId, orderId, endpointId, redirectUrl })
  }
}
