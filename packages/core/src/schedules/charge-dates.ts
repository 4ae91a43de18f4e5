import { addDays, addMonths, type CalendarDay, dayCount, formatDay, monthCount, parseDay } from './calendar.ts'

/** The unit of the time between two charges. */
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
  /** 1 for the first charge: it numbers the order of the charge. */
  readonly number: number
  /** `YYYY-MM-DD`. */
  readonly date: string
}

/** What a period is made of. */
interface Unit {
  /** Counts a day in this unit. */
  readonly count: (day: CalendarDay) => number
  /** So many units later. */
  readonly add: (day: CalendarDay, units: number) => CalendarDay
}

const DAYS: Unit = { count: dayCount, add: addDays }
const MONTHS: Unit = { count: monthCount, add: addMonths }

/** A period is a number of days, or a number of months. */
const PERIODS: Readonly<Record<Period, { readonly unit: Unit; readonly length: number }>> = {
  day: { unit: DAYS, length: 1 },
  week: { unit: DAYS, length: 7 },
  month: { unit: MONTHS, length: 1 },
  year: { unit: MONTHS, length: 12 },
}

/** Dates have four digits for the year. */
const LAST_DAY: CalendarDay = { year: 9999, month: 12, day: 31 }

/**
 * The charges of a schedule in their order.
 *
 * Months and years count from the first day, so that a short month moves one charge and no later one: 31 January,
 * 28 February, 31 March. A year after 29 February is 28 February, and four years after it is the 29th again.
 *
 * @throws TypeError if the period, the interval or a date is invalid
 */
export function chargeDates(schedule: Schedule): IterableIterator<ChargeDate> {
  return from(readSchedule(schedule), 0)
}

/**
 * The first charge later than the day `after`, or `undefined` if none is left. Found by arithmetic: the distance costs
 * nothing.
 *
 * @throws TypeError if the period, the interval or a date is invalid
 */
export function nextChargeDate(schedule: Schedule, after: string): ChargeDate | undefined {
  const read = readSchedule(schedule)
  const { start, unit, step } = read
  const elapsed = Math.floor((unit.count(parseDay(after)) - unit.count(start)) / step)
  for (const charge of from(read, Math.max(0, elapsed))) if (charge.date > after) return charge
  return undefined
}

interface ReadSchedule {
  readonly start: CalendarDay
  /** As `dayCount` counts it. */
  readonly finish: number
  readonly unit: Unit
  /** Units between two charges. */
  readonly step: number
}

function readSchedule({ period, interval, startDate, finishDate }: Schedule): ReadSchedule {
  if (!Object.hasOwn(PERIODS, period)) throw new TypeError('period must be day, week, month or year')
  if (!Number.isInteger(interval) || interval < 1 || interval > 366) {
    throw new TypeError('interval must be a whole number from 1 to 366')
  }
  const { unit, length } = PERIODS[period]
  const finish = dayCount(finishDate === undefined ? LAST_DAY : parseDay(finishDate))
  return { start: parseDay(startDate), finish, unit, step: interval * length }
}

/** Every charge is computed from the start, never from the one before. */
function* from({ start, finish, unit, step }: ReadSchedule, first: number): Generator<ChargeDate, undefined> {
  for (let index = first; ; index += 1) {
    const day = unit.add(start, index * step)
    if (dayCount(day) > finish) return
    yield { number: index + 1, date: formatDay(day) }
  }
}
