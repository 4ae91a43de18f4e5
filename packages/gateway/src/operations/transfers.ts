import type { Pan, RequestValues } from '@tallystick/core'
import { receivingCard } from '../acquirer/handed-card.ts'
import type { Answer } from '../http/reply.ts'
import { shownCard, shownDestination } from '../orders/shown-card.ts'
import { type FoundCard, findCard, noSuchCard } from './cards.ts'
import { openOrder } from './open-order.ts'
import { threeDsOf } from './opening-terms.ts'
import { orderDetails } from './order-details.ts'
import type { ProcessContext, Processor } from './processor.ts'

/** Operations that move money to a card: from a card, or from the merchant's deposit (interface part 4). */

/** Six kinds, by who sends and who receives (gaps part 3.4). */
export const processTransfer: Processor<'transfer'> = async (request, context) => {
  if (request.depositToCard === true) return await transferTo(request, 'deposit', context)
  const sender = await findCard('pays', request, context)
  return sender === undefined ? noSuchCard() : await transferTo(request, sender, context)
}

export const processTransferByRef: Processor<'transferByRef'> = (request, context) =>
  transferTo(request, 'deposit', context)

type Receiver = {
  readonly destinationCardNumber?: Pan | undefined
  readonly destinationCardRefId?: string | undefined
  readonly destinationCardRecurringPaymentId?: string | undefined
}
type TransferRequest = Pick<RequestValues<'transfer'>, 'clientOrderId' | 'amount' | 'currency'> &
  Partial<Pick<RequestValues<'transfer'>, 'browserInfo' | 'cardRecurringPaymentId'>> &
  Receiver &
  Parameters<typeof orderDetails>[0]

async function transferTo(
  request: TransferRequest,
  sender: FoundCard | 'deposit',
  context: ProcessContext,
): Promise<Answer> {
  const { clientOrderId, amount, currency } = request
  const receiver = await findCard('receives', receiverOf(request), context)
  if (receiver === undefined) return noSuchCard()
  const fromCard = sender === 'deposit' ? undefined : sender
  const opening = {
    kind: 'transfer' as const,
    clientOrderId,
    money: { amount, currency },
    details: {
      ...orderDetails(request),
      card: fromCard && shownCard(fromCard.sealed),
      destination: shownDestination(receiver.sealed),
      recurringPaymentId: request.cardRecurringPaymentId,
    },
    instrument: { card: fromCard?.card, destination: receivingCard(receiver.card) },
    threeDs: threeDsOf(request),
    origin: {
      initiatedBy: fromCard === undefined ? ('merchant' as const) : ('cardholder' as const),
      firstPayment: fromCard?.firstPayment,
    },
    cards: [fromCard, receiver].flatMap((found) => found?.sealed ?? []),
  }
  return await openOrder(opening, context)
}

function receiverOf(request: Receiver) {
  return {
    cardNumber: request.destinationCardNumber,
    cardRefId: request.destinationCardRefId,
    cardRecurringPaymentId: request.destinationCardRecurringPaymentId,
  }
}
