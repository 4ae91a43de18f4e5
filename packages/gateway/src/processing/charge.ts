import { DEFAULT_TIMES } from '@tallystick/core'
import { chargeInstant, GATEWAY_CODES } from '@tallystick/core/internal'
import type { Decision, PaymentMethod } from '../acquirer/acquirer.ts'
import { openedCard, openRequestFields } from '../acquirer/card.ts'
import type { Service } from '../context.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import { DEFAULT_CHARGE_TIME } from '../merchants/endpoint-settings.ts'
import { majorUnits } from '../orders/amounts.ts'
import { newOrder, termsOf } from '../orders/new-order.ts'
import { openingOperation } from '../orders/operations.ts'
import type { OrderDetails, OrderOrigin, PastPayment, StoredOrder } from '../orders/order.ts'
import { shownCard, shownDestination } from '../orders/shown-order.ts'
import { WITHIN_CLAIM_MS } from '../runtime/tasks.ts'
import { waitBeforeTry } from '../scheduler/scheduler.ts'
import { changed, type RecurringAmount, type RecurringPayment } from '../store/recurring-payment.ts'
import type { ChargeTask } from '../store/store.ts'
import type { SealedCard } from '../vault/sealed-card.ts'
import { askedOperation, askForToken, conclude, execute, originOf, paidFirst } from './execute.ts'
import { chargeId, dateOf, nextCharge, plannedCharge } from './next-charge.ts'

/**
 * Makes one charge of a recurring payment: an order of its own, and in the same change the task of the next charge, which
 * replaces this one (gaps part 13). So no charge is missed or made twice: a merchant can have only one order with the client
 * order id `<profile id>-<number of the period>`, and whoever made it, even the merchant, has charged that period.
 *
 * The outcome of the order does not change the schedule: a declined charge is followed by the next, at its time.
 */
export async function chargeOnSchedule(task: ChargeTask, service: Service): Promise<void> {
  const payment = await service.store.recurringPaymentById(task.recurringPaymentId)
  if (payment === undefined) throw new Error(`Recurring payment ${task.recurringPaymentId} not found in the store`)
  const endpoint = service.merchants.endpointOf(payment)
  const when = endpoint?.charges ?? DEFAULT_CHARGE_TIME
  if (!isNext(payment, task)) {
    // Whatever put this task back in the place of the planned one, the schedule goes on.
    const planned = plannedCharge(payment, when)
    const instead = planned === undefined ? { doneTasks: [task.id] } : { tasks: [planned] }
    return void (await service.commit({ recurringPayment: changed(payment), ...instead }))
  }
  const dueAt = chargeInstant({ ...task, ...when })
  // The clock was set back since it was planned, claimed or put off.
  if (dueAt > service.clock.trusted()) {
    return void (await service.commit({ recurringPayment: changed(payment), tasks: [{ ...task, dueAt }] }))
  }
  const { order, refused } = await orderOfCharge(payment, task, service)
  const { number, date } = task
  const next = nextCharge(payment, task, when)
  const recurringPayment = { ...changed(payment), lastCharge: { number, date }, nextCharge: next && dateOf(next) }
  const goOn = { recurringPayment, ...(next === undefined ? { doneTasks: [task.id] } : { tasks: [next] }) }
  const written = await service.commit({ order: { order, basedOn: 'nothing' }, ...goOn })
  if (written.ok) await carryOut(order, endpoint, refused, service)
  else if (written.conflict === 'client-order-id') await service.commit(goOn)
  // Otherwise it was changed meanwhile: its task is what the change made of it, or is due again when this claim ends.
}

/** An update replaces the task. The one before may have been claimed already: what it would charge is no longer asked for. */
function isNext({ nextCharge: next }: RecurringPayment, { number, date }: ChargeTask): boolean {
  return next !== undefined && next.number === number && next.date === date
}

interface TakenCharge {
  readonly order: StoredOrder
  /** Why the acquirer refuses the card. */
  readonly refused: string | undefined
}

/** The order of the charge, to be sent to the acquirer once it is written. No cardholder is present, so there is no CVV. */
async function orderOfCharge(payment: RecurringPayment, task: ChargeTask, service: Service): Promise<TakenCharge> {
  const { store, vault, clock } = service
  try {
    const sealed = await store.card(payment.cardId)
    if (sealed === undefined) throw new Error(`Card ${payment.cardId} not found in the store`)
    const card = openedCard(sealed, payment.login, vault)
    const paymentMethod: PaymentMethod =
      payment.cardType === 'SRC' ? { card: { ...card, cvv: undefined } } : { destination: card }
    const requestFields = openRequestFields(payment.requestFields, payment.recurringPaymentId, vault)
    const charge = await chargeOf(payment, task, sealed, service)
    const { kind, amount, currency } = charge
    const asked = { ...originOf(charge), kind, amount, currency }
    const token = await askForToken({ ...paymentMethod, requestFields }, asked, service, WITHIN_CLAIM_MS)
    // Refused, it is written all the same: a merchant has to hear of a period that was not charged.
    const { reference = '', refused } = { reference: undefined, refused: undefined, ...token }
    return { order: opened(charge, payment, reference, service), refused }
  } catch (error) {
    const dueAt = clock.trusted() + waitBeforeTry(task.tried)
    // Nothing is written if the payment was changed meanwhile: its task is what the change made of it.
    await service.commit({
      recurringPayment: changed(payment),
      tasks: [{ ...task, dueAt, tried: task.tried + 1 }],
    })
    throw error
  }
}

type Charge = Pick<StoredOrder, 'login' | 'endpointId' | 'clientOrderId' | 'details'> & {
  readonly kind: 'sale' | 'payout'
  readonly amount: bigint
  readonly currency: string
}

async function chargeOf(
  payment: RecurringPayment,
  { number }: ChargeTask,
  sealed: SealedCard,
  service: Service,
): Promise<Charge> {
  const { recurringPaymentId, login, endpointId, currency, amount, sequenceSince = 0 } = payment
  const firstPayment = await firstChargeOf(payment, number, service)
  const origin: OrderOrigin = { initiatedBy: 'schedule', firstPayment }
  return {
    login,
    endpointId,
    clientOrderId: chargeId(recurringPaymentId, number),
    kind: payment.cardType === 'SRC' ? 'sale' : 'payout',
    amount: chargeAmount(amount, number - sequenceSince, service.fraction),
    currency,
    details: { ...detailsOf(payment, sealed), origin },
  }
}

/** What an order shows of a charge, on the schedule or on request. */
export function detailsOf(payment: RecurringPayment, sealed: SealedCard): OrderDetails {
  const { recurringPaymentId, cardType, payer, orderDesc, serverCallbackUrl } = payment
  const card = cardType === 'SRC' ? { card: shownCard(sealed) } : { destination: shownDestination(sealed) }
  return { ...card, payer, addresses: { serverCallbackUrl }, orderDesc, recurringPaymentId }
}

/** What was charged first with this card. Each charge keeps it for the next, since the first ones may have been declined. */
async function firstChargeOf(
  { recurringPaymentId, login, cardSince = 0 }: RecurringPayment,
  number: number,
  { store }: Service,
): Promise<PastPayment | undefined> {
  if (number - 1 <= cardSince) return undefined
  const before = await store.findOrder({ login, clientOrderId: chargeId(recurringPaymentId, number - 1) })
  return paidFirst(before)
}

/** To be sent to the acquirer once it is written. */
function opened(charge: Charge, payment: RecurringPayment, token: string, service: Service): StoredOrder {
  const { ids, merchants, clock } = service
  const { currency, ...given } = charge
  const order = newOrder({
    ...given,
    orderId: ids.orderId(),
    serialNumber: ids.serialNumber(),
    digest: payment.digest,
    signedAs: undefined,
    terms: termsOf(currency, merchants.endpointOf(payment) ?? DEFAULT_TIMES),
    token,
    at: clock.now(),
  })
  if (!order.ok) throw new Error(`A charge of ${payment.recurringPaymentId} breaks the rule ${order.refusal.rule}`)
  return order.order
}

/** Sends the charge, unless the acquirer or the endpoint does not accept it. Then the order ends with the reason, without the acquirer. */
async function carryOut(
  order: StoredOrder,
  endpoint: Endpoint | undefined,
  refused: string | undefined,
  service: Service,
): Promise<void> {
  const operation = openingOperation(order)
  const byBank = refused === undefined ? undefined : filtered(GATEWAY_CODES.refusedByAcquirer, refused)
  const refusal = byBank ?? refusalOf(order, endpoint, service)
  const asked = askedOperation(order, operation, service)
  if (refusal === undefined) await execute(asked, service)
  else await conclude(asked, async () => refusal, service)
}

/** The endpoint may have other limits or currencies by now, or be gone. */
function refusalOf(order: StoredOrder, endpoint: Endpoint | undefined, { profile }: Service) {
  const { currency } = order.terms
  const { notServed, currencyNotAllowed, amountNotAllowed } = GATEWAY_CODES
  if (endpoint === undefined) return filtered(notServed, 'The endpoint of the recurring payment is no longer served.')
  if (endpoint.currencies?.has(currency) === false) {
    return filtered(currencyNotAllowed, `The endpoint no longer accepts ${currency}.`)
  }
  const major = majorUnits(openingOperation(order).amount, currency, profile) ?? ''
  if (endpoint.allows(major)) return undefined
  return filtered(amountNotAllowed, `The amount must be ${endpoint.limitsText} at this endpoint.`)
}

function filtered(errorCode: string, errorMessage: string): Decision {
  return { status: 'filtered', errorCode, errorMessage }
}

/**
 * The amount of the charge with this number, in minor units (gaps part 3.4). From a range, each charge draws a new amount,
 * both ends included.
 *
 * The last amount of a sequence repeats: only the schedule says when charging ends, and a sequence such as `1.00,1.00,9.99` is
 * the price of the first charges, then the regular price. Merchants that want as many charges as amounts give a finish date.
 * No public source says so, or otherwise.
 */
export function chargeAmount(amount: RecurringAmount, number: number, fraction: () => number): bigint {
  switch (amount.kind) {
    case 'fixed':
      return amount.amount
    case 'range':
      return amount.from + BigInt(Math.floor(fraction() * Number(amount.to - amount.from + 1n)))
    case 'sequence':
      return amount.amounts[Math.min(number, amount.amounts.length) - 1] ?? 0n
  }
}
