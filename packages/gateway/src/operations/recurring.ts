import type { Profile } from '@tallystick/core'
import { GATEWAY_CODES, type RequestValues, type Schedule } from '@tallystick/core/internal'
import { sealRequestFields } from '../acquirer/card.ts'
import type { Processor, RequestContext } from '../context.ts'
import { type Answer, refusal, success } from '../http/reply.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import { isWithinRequests, minorUnits } from '../orders/amounts.ts'
import { dateOf, dayAt, firstCharge, isOver } from '../processing/next-charge.ts'
import type { RecurringAmount, RecurringPayment } from '../store/recurring-payment.ts'
import { referenceKind } from '../vault/sealed-card.ts'
import { findCard } from './cards.ts'
import { wrongAddress } from './open-order.ts'

type Creation = RequestValues<'createRecurringPayment'>

/**
 * Defines what is charged when, on which card, and answers at once (gaps part 3.4). The task of the first charge is written
 * with it.
 */
export const processCreateRecurringPayment: Processor<'createRecurringPayment'> = async (request, context) => {
  const { service, merchant, endpoint, at } = context
  const role = request.recurringCardType === 'SRC' ? 'pays' : 'receives'
  const found = await findCard(role, request, context, role === 'pays' && request.period !== undefined)
  if ('httpStatus' in found) return found
  const payment = recurringPayment(request, found.sealed.cardId, context)
  if ('httpStatus' in payment) return payment
  const { recurringPaymentId: referenceId, cardId, schedule } = payment
  // A clock that is wrong for a while would put the first charge off by as much.
  const createdAt = service.clock.trusted()
  const first = firstCharge({ ...payment, createdAt }, endpoint.charges)
  const isUseless = schedule === undefined ? isOver(payment, createdAt, endpoint.charges) : first === undefined
  if (isUseless) return endsBeforeItBegins()
  const kind = referenceKind('recurring-payment', role)
  const written = await context.commit({
    recurringPayment: { ...payment, nextCharge: first && dateOf(first) },
    cards: [found.sealed],
    references: [{ referenceId, login: merchant.login, cardId, kind, createdAt: at }],
    tasks: first === undefined ? [] : [first],
  })
  return written.ok ? created(payment) : refusal(GATEWAY_CODES.clientOrderIdTaken, TAKEN)
}

/** No status shows a recurring payment: a merchant who asked for it would believe that there is none, and create a second. */
const TAKEN =
  'clientOrderId (client-orderid) was used before with other content, for a recurring payment that exists. ' +
  'Send again what was sent first, to get its recurring-payment-id, or choose a new id for another.'

/** The answer to the request that created it. */
export function created({ recurringPaymentId, serialNumber }: RecurringPayment): Answer {
  const type = 'create-recurring-payment-response'
  return success('createRecurringPayment', { type, serialNumber, status: 'approved', recurringPaymentId })
}

/** The payment, or why there can be none. */
function recurringPayment(request: Creation, cardId: string, context: RequestContext): RecurringPayment | Answer {
  const { service, merchant, endpoint, digest, serialNumber, at } = context
  const { clientOrderId, recurringCardType, currency, orderDesc, serverCallbackUrl, finishDate } = request
  const { email, phone, firstName, lastName } = request
  const amount = readRecurringAmount(request, endpoint, service.profile)
  if ('httpStatus' in amount) return amount
  const unheard = wrongAddress({ serverCallbackUrl }, service)
  if (unheard !== undefined) return unheard
  const recurringPaymentId = service.ids.orderId()
  return {
    recurringPaymentId,
    version: 1,
    login: merchant.login,
    endpointId: endpoint.id,
    clientOrderId,
    digest,
    serialNumber,
    createdAt: at,
    cardId,
    cardType: recurringCardType,
    currency,
    amount,
    schedule: readSchedule(request, context),
    finishDate,
    payer: { email, phone, firstName, lastName },
    requestFields: sealRequestFields(context.requestFields, recurringPaymentId, service.vault),
    orderDesc,
    serverCallbackUrl,
  }
}

type AmountFields = Pick<
  RequestValues<'createRecurringPayment'>,
  'amount' | 'amountFrom' | 'amountTo' | 'amountSequence' | 'currency'
>

/** The amount of the charges, or its refusal: no charge should fail later for a reason that is known now. */
export function readRecurringAmount(
  request: AmountFields,
  endpoint: Endpoint,
  profile: Profile,
): RecurringAmount | Answer {
  const { kind, field, texts } = givenAmount(request)
  const amounts = texts.map((text) => minorUnits(text, request.currency, profile))
  if (texts.some((text) => !endpoint.allows(text))) {
    return refusal(GATEWAY_CODES.amountNotAllowed, `${field} must be ${endpoint.limitsText} at this endpoint.`)
  }
  const [first = 0n, last = first] = amounts
  if (kind === 'fixed') return { kind, amount: first }
  if (kind === 'sequence') return { kind, amounts }
  // Any amount between them may be charged, and has to be one that can be sent to return a part.
  if (!isWithinRequests(last, request.currency, profile)) {
    return refusal(
      GATEWAY_CODES.invalidRequest,
      'amountTo (amount-to) must have at most 10 characters with all decimals.',
    )
  }
  if (first <= last) return { kind, from: first, to: last }
  return refusal(GATEWAY_CODES.invalidRequest, `${field} must not be above amountTo (amount-to).`)
}

interface GivenAmount {
  readonly kind: RecurringAmount['kind']
  /** The field that a refusal names. */
  readonly field: string
  readonly texts: readonly string[]
}

/** A request has exactly one of the three groups (gaps part 3.4). */
function givenAmount({ amount, amountFrom, amountTo, amountSequence = '' }: AmountFields): GivenAmount {
  if (amount !== undefined) return { kind: 'fixed', field: 'amount (amount)', texts: [amount] }
  if (amountFrom !== undefined && amountTo !== undefined) {
    return { kind: 'range', field: 'amountFrom (amount-from)', texts: [amountFrom, amountTo] }
  }
  return { kind: 'sequence', field: 'amountSequence (amount-sequence)', texts: amountSequence.split(',') }
}

/** Without a period, the payment is charged only on request; without a start, it begins on the day of its creation. */
function readSchedule(
  { period, interval, startDate, finishDate }: RequestValues<'createRecurringPayment'>,
  { service: { clock }, endpoint }: Pick<RequestContext, 'service' | 'endpoint'>,
): Schedule | undefined {
  if (period === undefined || interval === undefined) return undefined
  return {
    period,
    interval: Number(interval),
    startDate: startDate ?? dayAt(clock.trusted(), endpoint.charges),
    finishDate,
  }
}

/** A payment that can charge nothing is a mistake: its schedule has no charge, or it is charged on request and is over. */
function endsBeforeItBegins(): Answer {
  const message = 'finishDate (finish-date) must not be before the day of the first charge, nor before today.'
  return refusal(GATEWAY_CODES.invalidRequest, message)
}

/** The merchant's recurring payment at this endpoint. */
export async function recurringPaymentOf(
  recurringPaymentId: string,
  { service: { store }, merchant, endpoint }: Pick<RequestContext, 'service' | 'merchant' | 'endpoint'>,
): Promise<RecurringPayment | undefined> {
  const payment = await store.recurringPaymentById(recurringPaymentId)
  return payment?.login === merchant.login && payment.endpointId === endpoint.id ? payment : undefined
}

export function noSuchRecurringPayment(): Answer {
  const message = 'recurringPaymentId (recurring-payment-id) must be the id of a recurring payment of this endpoint.'
  return refusal(GATEWAY_CODES.noSuchCard, message)
}

/** What is given; what is not leaves something else as it is. */
export function given<T extends Readonly<Record<string, unknown>>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}
