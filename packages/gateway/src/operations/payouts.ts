import type { RequestValues } from '@tallystick/core'
import type { OpeningKind } from '@tallystick/core/internal'
import type { AcquirerDestination } from '../acquirer/acquirer.ts'
import { receivingCard } from '../acquirer/card.ts'
import type { Processor, RequestContext } from '../context.ts'
import type { Answer } from '../http/reply.ts'
import type { OrderDestination } from '../orders/order.ts'
import { shownDestination } from '../orders/shown-order.ts'
import { findCard } from './cards.ts'
import { openOrder, orderDetails } from './open-order.ts'

/** Operations that send the merchant's money out (interface part 4). */

const processPayout: Processor<'payout'> = (request, context) => payOut('payout', request, context)

/** The first step of two: the receiver is validated, and nothing is released. */
const processPayoutCheck: Processor<'payoutCheck'> = (request, context) => payOut('payout-check', request, context)

type PayoutRequest = RequestValues<'payout'> | RequestValues<'payoutCheck'>

async function payOut(kind: OpeningKind, request: PayoutRequest, context: RequestContext): Promise<Answer> {
  const { clientOrderId, amount, currency, destinationCardRefId: cardRefId } = request
  const toCard = request.cardNumber !== undefined || cardRefId !== undefined
  const found = toCard ? await findCard('receives', { ...request, cardRefId }, context) : undefined
  if (found !== undefined && 'httpStatus' in found) return found
  const destination: OrderDestination = {
    ...(found === undefined ? {} : shownDestination(found.sealed)),
    bankName: request.bankName,
  }
  const opening = {
    kind,
    clientOrderId,
    money: { amount, currency },
    details: { ...orderDetails(request), destination },
    instrument: { destination: { ...destinationOf(request), ...(found && receivingCard(found.card)) } },
    origin: { initiatedBy: 'merchant' as const, firstPayment: found?.firstPayment },
    cards: found === undefined ? [] : [found.sealed],
  }
  return await openOrder(opening, context)
}

/** A phone alone means the fast payment system (gaps part 13); beside another destination it is the payer's. */
function destinationOf(request: PayoutRequest): AcquirerDestination {
  const { accountNumber, routingNumber, bankName, bankBranch, destinationWallet, destinationWalletType } = request
  const others = [request.cardNumber, request.destinationCardRefId, accountNumber, destinationWallet]
  const isByPhone = others.every((other) => other === undefined)
  return {
    accountNumber,
    routingNumber,
    bankName,
    bankBranch,
    wallet: destinationWallet,
    walletType: destinationWalletType,
    phone: isByPhone ? (request.receiverPhone ?? request.phone) : undefined,
  }
}

/** Payouts, by their keys. */
export const payouts = {
  payout: processPayout,
  payoutCheck: processPayoutCheck,
}
