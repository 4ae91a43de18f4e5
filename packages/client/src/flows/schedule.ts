import { hash } from 'node:crypto'
import type { RequestInput } from '@tallystick/core'
import { type ChargeDate, chargeDates, checkOptions, type Validator, validator } from '@tallystick/core/internal'

/** The schedule of a recurring payment, as `createRecurringPayment` takes it. */
export type ScheduleInput = Pick<
  RequestInput<'createRecurringPayment'>,
  'period' | 'interval' | 'startDate' | 'finishDate'
>

/**
 * The dates of the first charges of a recurring payment, to show to the customer beforehand. Empty without `period`: then the
 * gateway charges nothing of its own accord. If a schedule begins on the day before its creation, our gateway charges from the
 * day of creation on; if it began earlier, it skips the days before, but counts them.
 *
 * @throws TypeError if the schedule is invalid or has no first day, or `count` is no whole number
 */
export function previewCharges(schedule: ScheduleInput, count = 12): readonly ChargeDate[] {
  const { period, interval, startDate, finishDate } = schedule
  if (!Number.isSafeInteger(count) || count < 0) throw new TypeError('count must be a whole number')
  checkOptions('previewCharges', { startDate, finishDate }, { startDate: DAY, finishDate: DAY })
  if (period === undefined) return []
  if (startDate === undefined) throw new TypeError('startDate must be given: the charges are counted from it')
  const charges: ChargeDate[] = []
  for (const charge of chargeDates({ period, interval: Number(interval), startDate, finishDate })) {
    if (charges.length === count) break
    charges.push(charge)
  }
  return charges
}

const DAY: Validator = { ...validator.text, wanted: "a text such as '2027-01-31'" }

/** A number (a year is one), a quarter, a week, a month or a day: each written in one way, so that no period has two names. */
const PERIOD =
  /^(?:0|[1-9]\d{0,9}|\d{4}-(?:Q[1-4]|W(?:0[1-9]|[1-4]\d|5[0-3])|(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?))$/

/**
 * The client order id of a charge of a stored card for one period, and of further attempts at it. The same agreement and period
 * give the same id, here and in the journal, so that no period is charged under two ids. It begins and ends with a letter.
 *
 * @throws TypeError if the period is invalid, such as a month without its year or a number with zeros before it
 */
export function rebillOrderId(agreement: string, period: string, attempt = 1): string {
  if (typeof agreement !== 'string' || agreement.trim() !== agreement || agreement === '') {
    throw new TypeError('agreement must be a text without white space around it')
  }
  if (typeof period !== 'string' || !PERIOD.test(period)) {
    throw new TypeError(
      'period must be a year, month, day, quarter or week such as 2026-11 or 2026-W47, or a number such as 7',
    )
  }
  return `r${hash('sha256', JSON.stringify([agreement, period, attempt]), 'hex').slice(0, 32)}z`
}
