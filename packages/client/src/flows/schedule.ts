import { type ChargeDate, chargeDates, checkOptions, type Kind, kind, type RequestInput } from '@tallystick/core'

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

const DAY: Kind = { ...kind.text, wanted: "a text such as '2027-01-31'" }
