import type { Pan } from '@tallystick/core'
import { GATEWAY_CODES, type OpeningKind, type RequestValues } from '@tallystick/core/internal'
import type { AcquirerDestination } from '../acquirer/acquirer.ts'
import { receivingCard, sealRequestFields } from '../acquirer/card.ts'
import type { Processor, RequestContext } from '../context.ts'
import { type Answer, refusal } from '../http/reply.ts'
import type { HostedForm, Initiator, OrderDestination } from '../orders/order.ts'
import { shownCard, shownDestination } from '../orders/shown-order.ts'
import { type CardSource, type FoundCard, findCard } from './cards.ts'
import { moneyOf, openOrder, orderDetails, threeDsOf } from './open-order.ts'

/** Operations that charge, hold or verify a card (interface part 4). */

const processSale: Processor<'sale'> = (request, context) => pay('sale', request, context)

const processPreauth: Processor<'preauth'> = (request, context) => pay('preauth', request, context)

const processAccountVerification: Processor<'accountVerification'> = (request, context) =>
  pay('account-verification', request, context)

/**
 * Asks whether a card could send a transfer: acknowledged, then the outcome by status (gaps part 13). No money moves, so of the
 * documented transaction types it is an account verification.
 */
const processPanEligibilitySend: Processor<'panEligibilitySend'> = (request, context) => {
  const { sendingCardNumber: cardNumber, sendingCardRefId: cardRefId } = request
  return pay('account-verification', { ...request, cardNumber, cardRefId }, context)
}

/** Charges a stored card while its holder is absent. One of the three names of the operation only holds the amount (C1). */
const processRebill: Processor<'makeRebill'> = async (request, context) => {
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
  context: RequestContext,
  initiatedBy: Initiator = 'cardholder',
) {
  const { clientOrderId } = request
  const found = await findCard('pays', request, context)
  if ('httpStatus' in found) return found
  const opening = {
    kind,
    clientOrderId,
    money: moneyOf(request),
    details: {
      ...orderDetails(request),
      card: shownCard(found.sealed),
      recurringPaymentId: request.cardRecurringPaymentId,
    },
    paymentMethod: { card: found.card },
    threeDs: threeDsOf(request),
    origin: { initiatedBy, firstPayment: found.firstPayment },
    cards: [found.sealed],
  }
  return await openOrder(opening, context)
}

/** Operations that ask for the card on a page of the gateway: the order is registered, and the answer has the page's address. */

const processSaleForm: Processor<'saleForm'> = (request, context) => register('sale', 'sale', request, context)

const processPreauthForm: Processor<'preauthForm'> = (request, context) =>
  register('preauth', 'preauth', request, context)

const processAccountVerificationForm: Processor<'accountVerificationForm'> = (request, context) =>
  register('account-verification', 'account-verification', request, context)

/** The universal page makes a sale (interface part 4). */
const processPaymentForm: Processor<'paymentForm'> = (request, context) => register('sale', 'payment', request, context)

const processPayoutForm: Processor<'payoutForm'> = (request, context) => register('payout', 'payout', request, context)

type FormRequest = { readonly clientOrderId: string } & Partial<
  Pick<RequestValues<'saleForm'>, 'amount' | 'currency'>
> &
  Parameters<typeof orderDetails>[0]

async function register(
  kind: OpeningKind,
  form: HostedForm,
  request: FormRequest,
  context: RequestContext,
): Promise<Answer> {
  const { clientOrderId } = request
  const { ids, vault } = context.service
  const token = ids.pageToken()
  const requestFields = sealRequestFields(context.requestFields, token, vault)
  const opening = {
    kind,
    clientOrderId,
    money: moneyOf(request),
    details: { ...orderDetails(request), pages: { token, form, requestFields } },
  }
  return await openOrder(opening, context)
}

/** Operations that move money to a card: from a card, or from the merchant's deposit (interface part 4). */

/** Six kinds, by who sends and who receives (gaps part 3.4). */
const processTransfer: Processor<'transfer'> = async (request, context) => {
  if (request.depositToCard === true) return await transferTo(request, 'deposit', context)
  const sender = await findCard('pays', request, context)
  return 'httpStatus' in sender ? sender : await transferTo(request, sender, context)
}

const processTransferByRef: Processor<'transferByRef'> = (request, context) => transferTo(request, 'deposit', context)

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
  context: RequestContext,
): Promise<Answer> {
  const { clientOrderId, amount, currency } = request
  const receiver = await findCard('receives', receiverOf(request), context)
  if ('httpStatus' in receiver) return receiver
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
    paymentMethod: { card: fromCard?.card, destination: receivingCard(receiver.card) },
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
    paymentMethod: { destination: { ...destinationOf(request), ...(found && receivingCard(found.card)) } },
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

/** Operations of payments, forms, transfers and payouts, by their keys. */
export const payments = {
  sale: processSale,
  preauth: processPreauth,
  accountVerification: processAccountVerification,
  panEligibilitySend: processPanEligibilitySend,
  makeRebill: processRebill,
  saleForm: processSaleForm,
  preauthForm: processPreauthForm,
  accountVerificationForm: processAccountVerificationForm,
  paymentForm: processPaymentForm,
  payoutForm: processPayoutForm,
  transfer: processTransfer,
  transferByRef: processTransferByRef,
  payout: processPayout,
  payoutCheck: processPayoutCheck,
}
