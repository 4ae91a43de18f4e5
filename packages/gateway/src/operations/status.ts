import { GATEWAY_CODES } from '@tallystick/core'
import { type Answer, refusal, success } from '../http/reply.ts'
import { lastOperation } from '../orders/operations.ts'
import { shownOrder } from '../orders/shown-order.ts'
import { noSuchOrder } from './modifications.ts'
import type { Processor } from './processor.ts'
import { shownAuthentication } from './shown-authentication.ts'

/**
 * Reports what became of an order, found by the merchant's id and, if given, the gateway's id and the serial number of a
 * request (interface part 4). With a serial number it reports on the operation that this request made.
 */
export const processStatus: Processor<'status'> = async (request, { merchant, merchants, store, profile, at }) => {
  const { clientOrderId, orderId, byRequestSn } = request
  const names = { login: merchant.login, clientOrderId, orderId }
  const order = await store.findOrder({ ...names, serialNumber: byRequestSn })
  if (order === undefined) {
    const isThere = byRequestSn !== undefined && (await store.findOrder(names)) !== undefined
    return isThere ? noSuchRequest() : noSuchOrder()
  }
  const asked = order.operations.find(({ serialNumber }) => serialNumber === byRequestSn)
  const operation = asked ?? lastOperation(order)
  const { cardId: _, ...card } = order.details.card ?? { cardId: '' }
  const { destination = {}, payer, merchantData, recurringPaymentId } = order.details
  return success('status', {
    type: 'status-response',
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    endpointId: order.endpointId,
    byRequestSn,
    ...shownOrder(order, operation, profile, at),
    ...shownAuthentication(order, operation, profile.baseUrl),
    descriptor: merchants.endpointOf(order)?.descriptor,
    ...card,
    destinationBankName: destination.bankName,
    destinationBin: destination.bin,
    destinationLastFourDigits: destination.lastFourDigits,
    destinationCardType: destination.cardType,
    ...payer,
    merchantData,
    recurringPaymentId,
  })
}

/** The order exists: to deny that would make a merchant believe that it was never made. */
function noSuchRequest(): Answer {
  const message =
    'byRequestSn (by-request-sn) must be the serial number of a request that made this order or one of its operations. ' +
    'Leave it out to ask for the last operation.'
  return refusal(GATEWAY_CODES.invalidRequest, message)
}
