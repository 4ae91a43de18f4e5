import { GATEWAY_CODES, type OpeningKind, type RequestValues } from '@tallystick/core'
import { refusal } from '../http/reply.ts'
import type { Initiator } from '../orders/order.ts'
import { shownCard } from '../orders/shown-card.ts'
import { type CardSource, findCard, noSuchCard } from './cards.ts'
import { openOrder } from './open-order.ts'
import { moneyOf, threeDsOf } from './opening-terms.ts'
import { orderDetails } from './order-details.ts'
import type { ProcessContext, Processor } from './processor.ts'

/** Operations that charge, hold or verify a card (interface part 4). */

export const processSale: Processor<'sale'> = (request, context) => pay('sale', request, context)

export const processPreauth: Processor<'preauth'> = (request, context) => pay('preauth', request, context)

export const processAccountVerification: Processor<'accountVerification'> = (request, context) =>
  pay('account-verification', request, context)

/**
 * Asks whether a card could send a transfer: acknowledged, then the outcome by status (gaps part 13). No money moves, so of the
 * documented transaction types it is an account verification.
 */
export const processPanEligibilitySend: Processor<'panEligibilitySend'> = (request, context) => {
  const { sendingCardNumber: cardNumber, sendingCardRefId: cardRefId } = request
  return pay('account-verification', { ...request, cardNumber, cardRefId }, context)
}

/** Charges a stored card while its holder is absent. One of the three names of the operation only holds the amount (C1). */
export const processRebill: Processor<'makeRebill'> = async (request, context) => {
  if (request.enumerateAmounts !== undefined) return refusal(GATEWAY_CODES.invalidRequest, ONE_AMOUNT)
  const kind = context.path.startsWith('/api/v2/make-rebill-preauth/') ? 'preauth' : 'sale'
  return await pay(kind, request, context, 'merchant')
}

/**
 * Nothing that a merchant asks for is left out silently. The amounts cannot be tried one after the other within an order: an
 * operation has one amount, which never changes, and no rule lets a second sale follow a declined one. Nor can they be tried
 * in several orders: the merchant gives one client order id, which names one order.
 */
const ONE_AMOUNT =
  'enumerateAmounts (enumerate_amounts) is not served by this gateway: send one amount, and the next after a decline.'

type PaymentRequest = CardSource & { readonly clientOrderId: string } & Partial<
    Pick<RequestValues<'sale'>, 'amount' | 'currency' | 'browserInfo'>
  > &
  Parameters<typeof orderDetails>[0]

async function pay(
  kind: OpeningKind,
  request: PaymentRequest,
  context: ProcessContext,
  initiatedBy: Initiator = 'cardholder',
) {
  const { clientOrderId } = request
  const found = await findCard('pays', request, context)
  if (found === undefined) return noSuchCard()
  const opening = {
    kind,
    clientOrderId,
    money: moneyOf(request),
    details: {
      ...orderDetails(request),
      card: shownCard(found.sealed),
      recurringPaymentId: request.cardRecurringPaymentId,
    },
    instrument: { card: found.card },
    threeDs: threeDsOf(request),
    origin: { initiatedBy, firstPayment: found.firstPayment },
    cards: [found.sealed],
  }
  return await openOrder(opening, context)
}
