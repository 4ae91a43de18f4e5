import { type ChargeDate, chargeDates, chargeInstant, nextChargeDate, type Schedule } from '@tallystick/core/internal'
import type { ChargeTime } from '../merchants/endpoint-settings.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import type { ChargeTask } from '../store/store.ts'

/**
 * The first charge of a recurring payment, or `undefined` if it has none.
 *
 * - If the schedule begins on the day before its creation, the charge of that day is made on the day of creation. West of the
 *   endpoint's time zone the two are the same day, and it is charged once.
 * - If it began earlier, charges for days before its creation are never made: nobody had agreed to them then. They still count
 *   in the numbering.
 */
export function firstCharge(payment: RecurringPayment, when: ChargeTime): ChargeTask | undefined {
  const { schedule, createdAt } = payment
  return schedule && taskFor(payment, firstFrom(schedule, dayAt(createdAt, when)), when)
}

/**
 * The charge after this one, however long ago that was: missed charges are made up for, in order. Its number is this one's plus
 * one, whatever its date, so that no amount of a sequence is left out if the first two days were charged as one.
 */
export function nextCharge(
  payment: RecurringPayment,
  { number, date }: ChargeDate,
  when: ChargeTime,
): ChargeTask | undefined {
  const { schedule } = payment
  const next = schedule && nextChargeDate(schedule, date)
  return next && taskFor(payment, { ...next, number: number + 1 }, when)
}

/**
 * The next charge after a change of the schedule, or after it was stopped: from that day on, never on a day that was charged. The
 * numbers go on, because each names an order.
 */
export function chargeAfterChange(payment: RecurringPayment, at: number, when: ChargeTime): ChargeTask | undefined {
  const { schedule, lastCharge, nextCharge: planned } = payment
  if (schedule === undefined || payment.isStopped === true || isOver(payment, at, when)) return undefined
  const yesterday = dayBefore(dayAt(at, when))
  const after = lastCharge !== undefined && lastCharge.date > yesterday ? lastCharge.date : yesterday
  const next = nextChargeDate(schedule, after)
  const number = planned?.number ?? (lastCharge?.number ?? 0) + 1
  return next && taskFor(payment, { ...next, number }, when)
}

/** The charge that the recurring payment waits for. */
export function plannedCharge(payment: RecurringPayment, when: ChargeTime): ChargeTask | undefined {
  return taskFor(payment, payment.nextCharge, when)
}

/** The charge that a task makes, as the recurring payment keeps it. */
export function dateOf({ number, date }: ChargeDate): ChargeDate {
  return { number, date }
}

/**
 * Any recurring payment stops at its finish date, with or without a schedule (gaps part 3.4). If an earlier version wrote it,
 * only its schedule has the date.
 */
export function isOver(
  { schedule, finishDate = schedule?.finishDate }: Pick<RecurringPayment, 'schedule' | 'finishDate'>,
  at: number,
  when: ChargeTime,
): boolean {
  return finishDate !== undefined && dayAt(at, when) > finishDate
}

/** The day in that time zone, `YYYY-MM-DD`. */
export function dayAt(instant: number, { timeZone }: ChargeTime): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(instant)
    .map(({ type, value }) => [type, value])
  const { year, month, day } = Object.fromEntries(parts)
  return `${year}-${month}-${day}`
}

/** The client order id of the charge with this number (gaps part 13). */
export function chargeId(recurringPaymentId: string, number: number): string {
  return `${recurringPaymentId}-${number}`
}

const DAY_MS = 86_400_000

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
}

function firstFrom(schedule: Schedule, day: string): ChargeDate | undefined {
  const yesterday = dayBefore(day)
  if (schedule.startDate < yesterday) return nextChargeDate(schedule, yesterday)
  const { value: first } = chargeDates(schedule).next()
  return first && { ...first, date: first.date < day ? day : first.date }
}

/** The id of a recurring payment's task. */
export function chargeTaskId({ recurringPaymentId }: Pick<RecurringPayment, 'recurringPaymentId'>): string {
  return `charge-${recurringPaymentId}`
}

/** A recurring payment has one task at a time: the next replaces the one before. */
function taskFor(
  { recurringPaymentId }: RecurringPayment,
  charge: ChargeDate | undefined,
  when: ChargeTime,
): ChargeTask | undefined {
  if (charge === undefined) return undefined
  const { number, date } = charge
  const dueAt = chargeInstant({ date, ...when })
  return { id: chargeTaskId({ recurringPaymentId }), kind: 'charge', recurringPaymentId, number, date, dueAt, tried: 0 }
}
