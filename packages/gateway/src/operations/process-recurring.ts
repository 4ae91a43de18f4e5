import { toMinorUnits } from '@tallystick/core'
import {
  exponentOf,
  GATEWAY_CODES,
  ProcessRecurringPaymentResponse,
  type RequestValues,
  ValidationErrorResponse,
} from '@tallystick/core/internal'
import type { PaymentMethod } from '../acquirer/acquirer.ts'
import { openedCard, openRequestFields } from '../acquirer/card.ts'
import type { Processor, RequestContext, Service } from '../context.ts'
import { type Answer, refusal } from '../http/reply.ts'
import { majorUnits } from '../orders/amounts.ts'
import { chargeAmount, detailsOf } from '../processing/charge.ts'
import { changed, type RecurringPayment } from '../store/recurring-payment.ts'
import { countTry, firstPaymentOf, hasEnded } from './cards.ts'
import { openOrder } from './open-order.ts'
import { given, noSuchRecurringPayment, recurringPaymentOf } from './recurring.ts'

type Charge = RequestValues<'processRecurringPayment'>

/**
 * Charges a recurring payment now, besides its schedule and without its customer (gaps part 14): an order of its own, under the
 * merchant's client order id. A repeat gets the first answer, as for every order.
 */
export const processProcessRecurringPayment: Processor<'processRecurringPayment'> = (request, context) =>
  chargeNow(request, context, false)

/** @param isCounted whether its card was counted as tried */
async function chargeNow(request: Charge, context: RequestContext, isCounted: boolean): Promise<Answer> {
  const payment = await recurringPaymentOf(request.recurringPaymentId, context)
  if (payment === undefined) return noSuchRecurringPayment()
  if (hasEnded(payment, context.service)) return refusal(GATEWAY_CODES.noSuchCard, ENDED)
  const { currency = payment.currency } = request
  if (currency !== payment.currency) {
    return refusal(
      GATEWAY_CODES.currencyNotAllowed,
      `currency (currency) must be ${payment.currency}, as it was created.`,
    )
  }
  const charge = amountOf(request, payment, context.service)
  return 'httpStatus' in charge ? charge : asStarted(await start(request, { payment, isCounted, ...charge }, context))
}

const ENDED =
  'The recurring payment was stopped, or its finish date is past: nothing more is charged by it. Update it first, or create another.'

interface Amount {
  /** In major units. */
  readonly amount: string
  /** The payment once the charge has taken its amount from a sequence. */
  readonly after?: RecurringPayment
}

/**
 * The amount of the request, else by the rule of the recurring payment. A sequence counts the charges on request apart from those
 * of the schedule, whose amounts follow from the dates.
 */
function amountOf(request: Charge, payment: RecurringPayment, { profile, fraction }: Service): Amount | Answer {
  const { amount: rule, currency, sequenceTaken = 0 } = payment
  if (request.amount !== undefined) {
    if (toMinorUnits(request.amount, exponentOf(currency, profile.exponents)) !== undefined) {
      return { amount: request.amount }
    }
    return refusal(GATEWAY_CODES.invalidRequest, `amount (amount) must not have more decimals than ${currency} has.`)
  }
  const taken = sequenceTaken + 1
  const amount = majorUnits(chargeAmount(rule, taken, fraction), currency, profile) ?? ''
  return rule.kind === 'sequence' ? { amount, after: { ...changed(payment), sequenceTaken: taken } } : { amount }
}

interface Due extends Amount {
  readonly payment: RecurringPayment
  readonly isCounted: boolean
}

async function start(
  request: Charge,
  { payment, isCounted, amount, after }: Due,
  context: RequestContext,
): Promise<Answer> {
  const { store, vault } = context.service
  const sealed = await store.card(payment.cardId)
  if (sealed === undefined) throw new Error(`Card ${payment.cardId} not found in the store`)
  const card = openedCard(sealed, context.merchant.login, vault)
  const paymentMethod: PaymentMethod =
    payment.cardType === 'SRC' ? { card: { ...card, cvv: undefined } } : { destination: card }
  const stored = openRequestFields(payment.requestFields, payment.recurringPaymentId, vault)
  const { fields, extra } = context.requestFields
  const details = detailsOf(payment, sealed)
  const { recurringPaymentId: referenceId } = payment
  const firstPayment = await firstPaymentOf({ referenceId, kind: 'recurring-payment' }, payment, context)
  // Nobody knows yet whether the card is right.
  const isTry = payment.cardType === 'SRC' && firstPayment === undefined && !isCounted
  const tooOften = isTry ? countTry(sealed, context) : undefined
  if (tooOften !== undefined) return tooOften
  const { email, phone, firstName, lastName, orderDesc = details.orderDesc } = request
  const payer = { ...details.payer, ...given({ email, phone, firstName, lastName }) }
  const opening = {
    kind: payment.cardType === 'SRC' ? ('sale' as const) : ('payout' as const),
    clientOrderId: request.clientOrderId,
    money: { amount, currency: payment.currency },
    details: { ...details, payer, orderDesc },
    paymentMethod,
    isUnattended: true,
    origin: { initiatedBy: 'merchant' as const, firstPayment },
    ...(after && { recurring: { payment: after, again: () => chargeNow(request, context, true) } }),
  }
  return await openOrder(opening, { ...context, requestFields: { fields: { ...stored.fields, ...fields }, extra } })
}

/** The acknowledgement of an order as this operation documents it: its status is no status of the order (conflict N3). */
export function asStarted(answer: Answer): Answer {
  if (answer.model === ValidationErrorResponse) return answer
  const { serialNumber, clientOrderId, orderId, endpointId } = answer.values
  const values = { serialNumber, clientOrderId, orderId, endpointId, status: 'processing' }
  return {
    ...answer,
    model: ProcessRecurringPaymentResponse,
    values: { type: 'process-recurring-payment-response', ...values },
  }
}
