import { addMonths, type CalendarDay, dayCount, dayOfCount, formatDay, monthCount, parseDay } from './calendar.ts'

/** The unit of the time between two charges (gaps part 13). */
export type Period = 'day' | 'week' | 'month' | 'year'

/** When a recurring payment charges. */
export interface Schedule {
  readonly period: Period
  /** How many periods lie between two charges: 1 to 366. */
  readonly interval: number
  /** The day of the first charge, `YYYY-MM-DD`. */
  readonly startDate: string
  /** The last day on which a charge may fall, `YYYY-MM-DD`. Left out: until the end of the year 9999. */
  readonly finishDate?: string | undefined
}

/** A charge of a schedule. */
export interface ChargeDate {
  /** 1 for the first charge: it numbers the order of the charge (gaps part 13). */
  readonly number: number
  /** `YYYY-MM-DD`. */
  readonly date: string
}

/** A period is a number of days, or a number of months. */
const PERIODS: Readonly<Record<Period, { readonly unit: 'day' | 'month'; readonly count: number }>> = {
  day: { unit: 'day', count: 1 },
  week: { unit: 'day', count: 7 },
  month: { unit: 'month', count: 1 },
  year: { unit: 'month', count: 12 },
}

const LAST_YEAR = 9999

/**
 * The charges of a schedule in their order (gaps parts 3.4 and 13).
 *
 * Months and years count from the first day, so that a short month moves one charge and no later one: 31 January,
 * 28 February, 31 March. A year after 29 February is 28 February, and four years after it is the 29th again.
 *
 * @throws TypeError when the period, the interval or a date is none
 */
export function chargeDates(schedule: Schedule): IterableIterator<ChargeDate> {
  return from(readSchedule(schedule), 0)
}

/**
 * The first charge later than the day `after`, or `undefined` when none is left. Found by arithmetic: the distance
 * costs nothing.
 *
 * @throws TypeError when the period, the interval or a date is none
 */
export function nextChargeDate(schedule: Schedule, after: string): ChargeDate | undefined {
  const read = readSchedule(schedule)
  const day = parseDay(after)
  const elapsed = Math.floor((countOf(read, day) - countOf(read, read.start)) / read.step)
  for (const charge of from(read, Math.max(0, elapsed))) if (charge.date > formatDay(day)) return charge
  return undefined
}

interface ReadSchedule {
  readonly start: CalendarDay
  readonly finish: string
  readonly unit: 'day' | 'month'
  /** Units between two charges. */
  readonly step: number
}

function readSchedule({ period, interval, startDate, finishDate }: Schedule): ReadSchedule {
  if (!Object.hasOwn(PERIODS, period)) throw new TypeError('period must be day, week, month or year')
  if (!Number.isInteger(interval) || interval < 1 || interval > 366) {
    throw new TypeError('interval must be a whole number from 1 to 366')
  }
  const { unit, count } = PERIODS[period]
  const finish = formatDay(finishDate === undefined ? { year: LAST_YEAR, month: 12, day: 31 } : parseDay(finishDate))
  return { start: parseDay(startDate), finish, unit, step: interval * count }
}

function countOf({ unit }: ReadSchedule, day: CalendarDay): number {
  return unit === 'day' ? dayCount(day) : monthCount(day)
}

/** Every charge is computed from the start, never from the one before. */
function* from(schedule: ReadSchedule, first: number): Generator<ChargeDate, undefined> {
  const { start, finish, unit, step } = schedule
  for (let index = first; ; index += 1) {
    const day = unit === 'day' ? dayOfCount(dayCount(start) + index * step) : addMonths(start, index * step)
    const date = formatDay(day)
    if (day.year > LAST_YEAR || date > finish) return
    yield { number: index + 1, date }
  }
}
