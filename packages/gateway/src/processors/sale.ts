import { cardBrand, GATEWAY_CODES, isFinalStatus, type RequestValues } from '@tallystick/core'
import type { AcquirerCard, Decision } from '../acquirer/acquirer.ts'
import { callbackUrl } from '../callbacks/notice.ts'
import { type Answer, refusal, success } from '../http/answer.ts'
import type { Order, OrderOutcome } from '../store/order.ts'
import type { ProcessContext, Processor } from './processor.ts'

/**
 * Authorizes and captures in one step (interface part 4). The reply acknowledges; the acquirer is asked afterwards, and
 * the outcome follows by status and callback.
 *
 * A repeat of the same request gets the first acknowledgement; another request under the same client order id is
 * refused (gaps part 13).
 */
export const processSale: Processor<'sale'> = async (request, context) => {
  const card = cardOf(request)
  if (card === undefined) {
    return refusal(GATEWAY_CODES.noSuchCard, 'There is no stored card of this reference; send the card itself.')
  }
  const { currencies } = context.endpoint
  if (currencies !== undefined && !currencies.has(request.currency)) {
    const known = [...currencies].join(', ')
    return refusal(GATEWAY_CODES.currencyNotAllowed, `currency (currency) must be one of ${known} at this endpoint.`)
  }
  const reference = await context.acquirer.prepare(card)
  const { inserted, order } = await context.store.insertOrder(newOrder(request, card, context))
  if (inserted) context.background.run(() => authorize(order, reference, context))
  return order.digest === context.digest ? acknowledgement(order) : taken()
}

function cardOf(request: RequestValues<'sale'>): AcquirerCard | undefined {
  const { cardNumber, expireMonth, expireYear, cvv2 } = request
  if (cardNumber === undefined || expireMonth === undefined || expireYear === undefined) return undefined
  return { pan: cardNumber, expireMonth, expireYear, cvv: cvv2 }
}

function newOrder(request: RequestValues<'sale'>, card: AcquirerCard, context: ProcessContext): Order {
  const { email, phone, firstName, lastName } = request
  return {
    orderId: context.ids.orderId(),
    serialNumber: context.serialNumber,
    login: context.endpoint.merchant.login,
    endpointId: context.endpoint.id,
    clientOrderId: request.clientOrderId,
    digest: context.digest,
    transactionType: 'sale',
    amount: request.amount,
    currency: request.currency,
    status: 'processing',
    outcome: {},
    card: {
      bin: card.pan.bin,
      lastFourDigits: card.pan.lastFourDigits,
      cardType: cardBrand(card.pan.bin),
      cardholderName: request.cardPrintedName ?? '',
      cardExpireMonth: card.expireMonth,
      cardExpireYear: card.expireYear,
    },
    payer: { email, phone, firstName, lastName },
    serverCallbackUrl: request.serverCallbackUrl ?? request.notifyUrl,
    merchantData: request.merchantData,
  }
}

async function authorize(order: Order, reference: string, context: ProcessContext): Promise<void> {
  const { orderId, amount, currency } = order
  const decision = await context.acquirer.authorize({ reference, orderId, amount, currency })
  const decided = await context.store.decideOrder(orderId, decision.status, outcomeOf(decision))
  if (decided.serverCallbackUrl === undefined || !isFinalStatus(decided.status)) return
  const { controlKey } = context.endpoint.merchant
  context.deliveries.deliver(callbackUrl(decided.serverCallbackUrl, decided, controlKey))
}

function outcomeOf(decision: Decision): OrderOutcome {
  switch (decision.status) {
    case 'approved': {
      const { approvalCode, processorTxId } = decision
      return { orderStage: 'sale_approved', approvalCode, processorTxId }
    }
    case 'declined': {
      const { errorCode, errorMessage } = decision
      return { orderStage: 'sale_failed', errorCode, errorMessage }
    }
    case 'processing':
      return { orderStage: 'sale_3d_validating' }
    case 'unknown':
      return {}
  }
}

function acknowledgement({ serialNumber, clientOrderId, orderId, endpointId }: Order): Answer {
  return success('sale', { type: 'async-response', serialNumber, clientOrderId, orderId, endpointId })
}

function taken(): Answer {
  return refusal(
    GATEWAY_CODES.clientOrderIdTaken,
    'clientOrderId (client_orderid) was used before with other content. Ask for its status, or choose a new id.',
  )
}
