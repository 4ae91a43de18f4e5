import { DEFAULT_TIMES, GATEWAY_CODES } from '@tallystick/core'
import type { Decision, Instrument } from '../acquirer/acquirer.ts'
import { openedCard } from '../acquirer/handed-card.ts'
import { openParticulars } from '../acquirer/sealed-particulars.ts'
import { inTime, WITHIN_CLAIM_MS } from '../in-time.ts'
import { DEFAULT_CHARGE_TIME } from '../merchants/charge-time.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import { majorUnits } from '../orders/amounts.ts'
import { newOrder, termsOf } from '../orders/new-order.ts'
import { openingOperation } from '../orders/operations.ts'
import type { OrderDetails, StoredOrder } from '../orders/order.ts'
import { shownCard, shownDestination } from '../orders/shown-card.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import type { ChargeTask } from '../store/task.ts'
import type { SealedCard } from '../vault/sealed-card.ts'
import { chargeAmount } from './charge-amount.ts'
import { nextCharge } from './next-charge.ts'
import { conclude, perform } from './perform.ts'
import { askToPrepare } from './prepare.ts'
import type { Service } from './service.ts'
import { waitBeforeTry } from './wait-before-try.ts'

/**
 * Makes one charge of a recurring payment: an order of its own, and in the same change the task of the next charge, which
 * replaces this one (gaps part 13). So no charge is missed or made twice: a merchant can have only one order with the client
 * order id `<profile id>-<number of the period>`, and whoever made it, even the merchant, has charged that period.
 *
 * The outcome of the order does not change the schedule: a declined charge is followed by the next, at its time.
 */
export async function chargeOnSchedule(task: ChargeTask, service: Service): Promise<void> {
  const payment = await service.store.recurringPaymentById(task.recurringPaymentId)
  if (payment === undefined) throw new Error(`The store has lost the recurring payment ${task.recurringPaymentId}`)
  const endpoint = service.merchants.endpointOf(payment)
  const order = await orderOfCharge(payment, task, service)
  const next = nextCharge(payment, task, endpoint?.charges ?? DEFAULT_CHARGE_TIME)
  const goOn = next === undefined ? { doneTasks: [task.id] } : { tasks: [next] }
  const written = await service.commit({ order: { order, basedOn: 'nothing' }, ...goOn })
  if (written.ok) await carryOut(order, endpoint, service)
  else if (written.conflict === 'client-order-id') await service.commit(goOn)
}

/** The order of the charge, to be sent to the acquirer once it is written. No cardholder is present, so there is no CVV. */
async function orderOfCharge(payment: RecurringPayment, task: ChargeTask, service: Service): Promise<StoredOrder> {
  const { store, vault, acquirer, clock } = service
  try {
    const sealed = await store.card(payment.cardId)
    if (sealed === undefined) throw new Error(`The store has lost the card ${payment.cardId}`)
    const card = openedCard(sealed, vault)
    const instrument: Instrument =
      payment.cardType === 'SRC' ? { card: { ...card, cvv: undefined } } : { destination: card }
    const particulars = openParticulars(payment.particulars, payment.recurringPaymentId, vault)
    const prepared = await inTime(askToPrepare({ ...instrument, particulars }, acquirer), clock, WITHIN_CLAIM_MS)
    return opened(payment, task, { sealed, prepared: prepared.reference }, service)
  } catch (error) {
    const dueAt = clock.now() + waitBeforeTry(task.tried)
    await service.commit({ tasks: [{ ...task, dueAt, tried: task.tried + 1 }] })
    throw error
  }
}

interface TakenCard {
  readonly sealed: SealedCard
  readonly prepared: string
}

function opened(
  payment: RecurringPayment,
  { number }: ChargeTask,
  { sealed, prepared }: TakenCard,
  { ids, merchants, clock, fraction }: Service,
): StoredOrder {
  const { recurringPaymentId, login, endpointId, digest, cardType, currency, amount } = payment
  const order = newOrder({
    orderId: ids.orderId(),
    serialNumber: ids.serialNumber(),
    login,
    endpointId,
    clientOrderId: `${recurringPaymentId}-${number}`,
    digest,
    signedAs: undefined,
    kind: cardType === 'SRC' ? 'sale' : 'payout',
    amount: chargeAmount(amount, number, fraction),
    terms: termsOf(currency, merchants.endpointOf(payment) ?? DEFAULT_TIMES),
    details: detailsOf(payment, sealed),
    prepared,
    at: clock.now(),
  })
  if (!order.ok) throw new Error(`A charge of ${recurringPaymentId} breaks the rule ${order.refusal.rule}`)
  return order.order
}

function detailsOf(payment: RecurringPayment, sealed: SealedCard): OrderDetails {
  const { recurringPaymentId, cardType, payer, orderDesc, serverCallbackUrl } = payment
  const card = cardType === 'SRC' ? { card: shownCard(sealed) } : { destination: shownDestination(sealed) }
  return { ...card, payer, addresses: { serverCallbackUrl }, orderDesc, recurringPaymentId }
}

/** Sends the charge, unless the endpoint no longer accepts it. Then the order ends with the reason, without the acquirer. */
async function carryOut(order: StoredOrder, endpoint: Endpoint | undefined, service: Service): Promise<void> {
  const operation = openingOperation(order)
  const refusal = refusalOf(order, endpoint, service)
  if (refusal === undefined) await perform(order, operation, service)
  else await conclude(order, operation, async () => refusal, service)
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
