import { type Answer, asyncReply, formReply } from '../http/reply.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { formPath, threeDsPath } from '../orders/page-paths.ts'
import type { ProcessContext } from './processor.ts'

/**
 * The acknowledgement of the request that opened an order: a repeat gets the very same (gaps part 13). It has the address of
 * the hosted form, or of the gateway's pages if the customer will authenticate there (interface part 2).
 */
export function acknowledged(order: StoredOrder, { profile: { baseUrl } }: Pick<ProcessContext, 'profile'>): Answer {
  const { clientOrderId, orderId, endpointId, details } = order
  const { serialNumber } = openingOperation(order)
  const names = { serialNumber, clientOrderId, orderId, endpointId }
  const { pages } = details
  if (pages?.form !== undefined) return formReply({ ...names, redirectUrl: baseUrl + formPath(pages) })
  const redirectUrl = pages?.threeDs === 'redirect' ? baseUrl + threeDsPath(pages) : undefined
  return asyncReply({ ...names, redirectUrl })
}
