import { type ChargeDate, chargeDates, chargeInstant, nextChargeDate, type Schedule } from '@tallystick/core'
import type { ChargeTime } from '../merchants/endpoint.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import type { ChargeTask } from '../store/task.ts'

/**
 * The first charge of a recurring payment, or `undefined` when it has none. A schedule that begins on the day before its
 * creation begins at once: west of the endpoint's time zone that is still today. What one that began earlier names of days
 * before its creation is never charged: nobody had agreed to it then. These keep their numbers.
 */
export function firstCharge(payment: RecurringPayment, when: ChargeTime): ChargeTask | undefined {
  const { schedule, createdAt } = payment
  return schedule && taskFor(payment, firstFrom(schedule, dayAt(createdAt, when)), when)
}

/** The charge after the one of this day, however long ago that was: what was missed is made up for, in order. */
export function nextCharge(payment: RecurringPayment, date: string, when: ChargeTime): ChargeTask | undefined {
  const { schedule } = payment
  return schedule && taskFor(payment, nextChargeDate(schedule, date), when)
}

/** The day that it is there, `YYYY-MM-DD`. */
export function dayAt(instant: number, { timeZone }: ChargeTime): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(instant)
    .map(({ type, value }) => [type, value])
  const { year, month, day } = Object.fromEntries(parts)
  return `${year}-${month}-${day}`
}

const DAY_MS = 86_400_000

function firstFrom(schedule: Schedule, day: string): ChargeDate | undefined {
  const yesterday = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
  if (schedule.startDate >= yesterday) return chargeDates(schedule).next().value ?? undefined
  return nextChargeDate(schedule, yesterday)
}

/** There is one charge at a time: its task stands in the place of the one before. */
function taskFor(
  { recurringPaymentId }: RecurringPayment,
  charge: ChargeDate | undefined,
  when: ChargeTime,
): ChargeTask | undefined {
  if (charge === undefined) return undefined
  const { number, date } = charge
  const dueAt = chargeInstant({ date, ...when })
  return { id: `charge-${recurringPaymentId}`, kind: 'charge', recurringPaymentId, number, date, dueAt, tried: 0 }
}
