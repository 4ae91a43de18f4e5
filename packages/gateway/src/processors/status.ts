import { GATEWAY_CODES } from '@tallystick/core'
import { refusal, success } from '../http/answer.ts'
import type { Order } from '../store/order.ts'
import type { Processor } from './processor.ts'

/**
 * Tells what became of an order, found by the merchant's id and, where they are given, the gateway's id and the serial
 * number of the request (interface part 4). An order of another merchant does not exist.
 */
export const processStatus: Processor<'status'> = async (request, { endpoint, store }) => {
  const { clientOrderId, orderId, byRequestSn } = request
  const { login } = endpoint.merchant
  const order = await store.findOrder({ login, clientOrderId, orderId, serialNumber: byRequestSn })
  return order === undefined
    ? refusal(GATEWAY_CODES.noSuchOrder, 'There is no order of this client_orderid and orderid.')
    : success('status', statusOf(order))
}

function statusOf(order: Order) {
  const { orderId, clientOrderId, endpointId, status, transactionType, amount, currency, merchantData } = order
  return {
    type: 'status-response',
    orderId,
    clientOrderId,
    endpointId,
    status,
    transactionType,
    ...order.outcome,
    amount,
    initialAmount: amount,
    currency,
    ...order.card,
    ...order.payer,
    merchantData,
  }
}
