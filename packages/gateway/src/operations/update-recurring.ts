import { toMinorUnits } from '@tallystick/core'
import { exponentOf, GATEWAY_CODES, nextChargeDate, type RequestValues, type Schedule } from '@tallystick/core/internal'
import type { RequestFields } from '../acquirer/acquirer.ts'
import { openRequestFields, sealRequestFields } from '../acquirer/card.ts'
import type { Processor, RequestContext, Service } from '../context.ts'
import { type Answer, refusal, success } from '../http/reply.ts'
import { majorUnits } from '../orders/amounts.ts'
import { chargeAfterChange, chargeTaskId, dateOf, dayAt } from '../processing/next-charge.ts'
import { changed, type RecurringPayment } from '../store/recurring-payment.ts'
import type { ChargeTask } from '../store/store.ts'
import type { SealedCard } from '../vault/sealed-card.ts'
import { findCard, hasEnded } from './cards.ts'
import { given, noSuchRecurringPayment, readRecurringAmount, recurringPaymentOf } from './recurring.ts'

type Update = RequestValues<'updateRecurringPayment'>

/**
 * Changes a recurring payment, and answers at once (gaps part 14): later charges use what it says now. What a request leaves out
 * stays as it is. A repeat gets the first answer and changes nothing: it may come after another update.
 */
const processUpdateRecurringPayment: Processor<'updateRecurringPayment'> = async (request, context) => {
  let card: SealedCard | Answer | undefined
  for (;;) {
    const payment = await recurringPaymentOf(request.recurringPaymentId, context)
    if (payment === undefined) return noSuchRecurringPayment()
    const earlier = earlierUpdate(request, payment, context)
    if (earlier !== undefined) return earlier
    card ??= await newCard(request, payment, context)
    if (card !== undefined && 'httpStatus' in card) return card
    const after = changedBy(request, payment, context)
    if ('httpStatus' in after) return after
    const { next, ...terms } = planned(request, card === undefined ? after : withCard(after, card.cardId), context)
    const written = await context.commit({
      cards: card === undefined ? [] : [card],
      recurringPayment: terms.payment,
      ...(next === undefined ? {} : next === 'none' ? { doneTasks: [chargeTaskId(payment)] } : { tasks: [next] }),
    })
    if (written.ok) return updated(context.serialNumber)
  }
}

/** How many charges its schedule has made. */
function madeBySchedule({ nextCharge, lastCharge }: RecurringPayment): number {
  return nextCharge === undefined ? (lastCharge?.number ?? 0) : nextCharge.number - 1
}

/** A payment with another card has no first payment with it yet. */
function withCard(payment: RecurringPayment, cardId: string): RecurringPayment {
  return { ...payment, cardId, cardSince: madeBySchedule(payment) }
}

function updated(serialNumber: string): Answer {
  return success('updateRecurringPayment', {
    type: 'update-recurring-payment-response',
    serialNumber,
    status: 'approved',
  })
}

/**
 * The answer if the client order id was used for an update before. The pages do not say whether it names the update or the
 * recurring payment: the id of its creation may come with every update, and then only a repeat of the last one is a repeat.
 */
function earlierUpdate(
  { clientOrderId }: Update,
  { clientOrderId: ofCreation, updates = [] }: RecurringPayment,
  { digest }: RequestContext,
): Answer | undefined {
  const known = clientOrderId === ofCreation ? updates.slice(-1) : updates
  const earlier = known.find((each) => each.clientOrderId === clientOrderId)
  if (earlier?.digest === digest) return updated(earlier.serialNumber)
  return earlier === undefined || clientOrderId === ofCreation
    ? undefined
    : refusal(
        GATEWAY_CODES.clientOrderIdTaken,
        'clientOrderId (client-orderid) was used before for another update of this recurring payment. Choose a new id.',
      )
}

async function newCard(request: Update, { cardType, schedule }: RecurringPayment, context: RequestContext) {
  if (request.cardNumber === undefined) return undefined
  const isCharged = cardType === 'SRC' && (request.period ?? schedule) !== undefined
  const found = await findCard(cardType === 'SRC' ? 'pays' : 'receives', request, context, isCharged)
  return 'httpStatus' in found ? found : found.sealed
}

/** How many updates are known again: a repeat comes soon after. */
const MOST_UPDATES = 100

/** The payment with everything but its card and its next charge changed, or why it cannot be. */
function changedBy(request: Update, payment: RecurringPayment, context: RequestContext): RecurringPayment | Answer {
  const { email, phone, firstName, lastName, finishDate, recurringPaymentState, clientOrderId } = request
  const amount = newAmount(request, payment, context)
  if (amount !== undefined && 'httpStatus' in amount) return amount
  if (request.startDate !== undefined && request.period === undefined && payment.schedule === undefined) {
    return refusal(
      GATEWAY_CODES.invalidRequest,
      'startDate (start-date) needs period and interval: nothing is scheduled.',
    )
  }
  const { digest, serialNumber } = context
  return {
    ...changed(payment),
    ...amount,
    schedule: newSchedule(request, payment, context),
    finishDate: finishDate ?? payment.finishDate,
    isStopped: recurringPaymentState === undefined ? payment.isStopped : recurringPaymentState === 'stopped',
    payer: { ...payment.payer, ...given({ email, phone, firstName, lastName }) },
    requestFields: newRequestFields(context.requestFields, payment, context.service),
    updates: [...(payment.updates ?? []), { clientOrderId, digest, serialNumber }].slice(-MOST_UPDATES),
  }
}

function newAmount(request: Update, payment: RecurringPayment, context: RequestContext) {
  const { currency } = payment
  const { amount, amountFrom, amountTo, amountSequence } = request
  const texts = [amount, amountFrom, amountTo, ...(amountSequence?.split(',') ?? [])].filter(
    (text) => text !== undefined,
  )
  if (texts.length === 0) return undefined
  const exponent = exponentOf(currency, context.service.profile.exponents)
  if (texts.some((text) => toMinorUnits(text, exponent) === undefined)) {
    return refusal(GATEWAY_CODES.invalidRequest, `An amount must not have more decimals than ${currency} has.`)
  }
  const read = readRecurringAmount(
    { amount, amountFrom, amountTo, amountSequence, currency },
    context.endpoint,
    context.service.profile,
  )
  if ('httpStatus' in read) return read
  // A new sequence begins with its first amount.
  return { amount: read, sequenceSince: madeBySchedule(payment), sequenceTaken: 0 }
}

/** A schedule whose period changes goes on counting from its start, unless a start is given as well. */
function newSchedule(
  { period, interval, startDate, finishDate }: Update,
  { schedule, finishDate: last }: RecurringPayment,
  { service: { clock }, endpoint }: RequestContext,
): Schedule | undefined {
  const rhythm = period === undefined || interval === undefined ? schedule : { period, interval: Number(interval) }
  if (rhythm === undefined) return undefined
  return {
    period: rhythm.period,
    interval: rhythm.interval,
    startDate: startDate ?? schedule?.startDate ?? dayAt(clock.trusted(), endpoint.charges),
    finishDate: finishDate ?? schedule?.finishDate ?? last,
  }
}

/** What the acquirer receives with each charge, with what the update says of the payer. */
function newRequestFields(
  {
    fields: { clientOrderId: _id, recurringPaymentId: _payment, recurringPaymentState: _state, ...fields },
  }: RequestFields,
  { requestFields, recurringPaymentId }: RecurringPayment,
  { vault }: Service,
): string {
  const before = openRequestFields(requestFields, recurringPaymentId, vault)
  return sealRequestFields({ fields: { ...before.fields, ...fields }, extra: {} }, recurringPaymentId, vault)
}

interface Planned {
  readonly payment: RecurringPayment
  /** The task of the next charge, or that there is none. `undefined`: the task stays as it is. */
  readonly next?: ChargeTask | 'none'
}

/** Only what changes the days changes the next charge: one that is late is made up for otherwise. */
function planned(
  request: Update,
  payment: RecurringPayment,
  { service: { clock }, endpoint }: RequestContext,
): Planned {
  const { period, startDate, finishDate, recurringPaymentState } = request
  if ([period, startDate, finishDate, recurringPaymentState].every((each) => each === undefined)) return { payment }
  const next = chargeAfterChange(payment, clock.trusted(), endpoint.charges)
  return { payment: { ...payment, nextCharge: next && dateOf(next) }, next: next ?? 'none' }
}

/** How many coming charges are shown. */
const MOST_SHOWN = 12

/** An extension of ours: a merchant who has lost the answer to a creation finds its id again by the client order id. */
const processGetRecurringPayment: Processor<'getRecurringPayment'> = async (request, context) => {
  const { recurringPaymentId, clientOrderId = '' } = request
  const { service, merchant, serialNumber } = context
  const { store, profile } = service
  const named = recurringPaymentId ?? (await store.recurringPayment(merchant.login, clientOrderId))?.recurringPaymentId
  const payment = named === undefined ? undefined : await recurringPaymentOf(named, context)
  if (payment === undefined) return noSuchRecurringPayment()
  const { currency, amount, schedule } = payment
  const card = await store.card(payment.cardId)
  const major = (minor: bigint) => majorUnits(minor, currency, profile)
  const state = payment.isStopped === true ? 'stopped' : hasEnded(payment, service) ? 'finished' : 'active'
  return success('getRecurringPayment', {
    type: 'get-recurring-payment-response',
    serialNumber,
    recurringPaymentId: payment.recurringPaymentId,
    clientOrderId: payment.clientOrderId,
    recurringPaymentState: state,
    currency,
    amount: amount.kind === 'fixed' ? major(amount.amount) : undefined,
    amountFrom: amount.kind === 'range' ? major(amount.from) : undefined,
    amountTo: amount.kind === 'range' ? major(amount.to) : undefined,
    amountSequence: amount.kind === 'sequence' ? amount.amounts.map(major).join(',') : undefined,
    interval: schedule && String(schedule.interval),
    period: schedule?.period,
    startDate: schedule?.startDate,
    finishDate: payment.finishDate ?? schedule?.finishDate,
    bin: card?.bin,
    lastFourDigits: card?.lastFourDigits,
    comingCharges: comingCharges(payment).join(',') || undefined,
  })
}

function comingCharges({ schedule, nextCharge }: RecurringPayment): readonly string[] {
  const days: string[] = []
  let day = nextCharge?.date
  while (schedule !== undefined && day !== undefined && days.length < MOST_SHOWN) {
    days.push(day)
    day = nextChargeDate(schedule, day)?.date
  }
  return days
}

/** Operations on a recurring payment, by their keys. */
export const recurringPayments = {
  updateRecurringPayment: processUpdateRecurringPayment,
  getRecurringPayment: processGetRecurringPayment,
}
