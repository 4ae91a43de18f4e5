import { callbackControlTerms, type Secret, serializeForm, writeCallback } from '@tallystick/core'
import { signControl } from '@tallystick/signing'
import type { Order } from '../store/order.ts'

/** The address of a callback with its documented parameters and control (gaps part 6). */
export function callbackUrl(address: string, order: Order, controlKey: Secret): string {
  const { orderId, clientOrderId, status } = order
  const control = signControl({
    terms: callbackControlTerms({ status, orderId, clientOrderId }),
    key: controlKey.reveal(),
  })
  const query = serializeForm(writeCallback({ ...parameters(order), control }))
  const [beforeFragment = ''] = address.split('#', 1)
  return `${beforeFragment}${beforeFragment.includes('?') ? '&' : '?'}${query}`
}

function parameters(order: Order) {
  const { orderId, clientOrderId, status, transactionType, amount, currency, outcome, card, payer } = order
  return {
    status,
    orderId,
    clientOrderId,
    type: transactionType,
    amount,
    currency,
    errorCode: outcome.errorCode,
    errorMessage: outcome.errorMessage,
    name: [payer.firstName, payer.lastName].filter(Boolean).join(' ') || undefined,
    email: payer.email,
    phone: payer.phone,
    approvalCode: outcome.approvalCode,
    lastFourDigits: card.lastFourDigits,
    bin: card.bin,
    cardType: card.cardType,
    processorTxId: outcome.processorTxId,
    cardholderName: card.cardholderName,
    merchantData: order.merchantData,
  }
}
