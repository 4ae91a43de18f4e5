import type { Random } from '@tallystick/proof-kit'

/** The endpoints, with the time of day at which each charges: some times fall into changes of the clock at the place. */
export const ENDPOINTS = [
  { id: '253', charges: { time: '00:00', timeZone: 'UTC' }, minutes: 0 },
  { id: '254', charges: { time: '02:30', timeZone: 'Europe/Berlin' }, minutes: 150 },
  { id: '255', charges: { time: '01:30', timeZone: 'America/New_York' }, minutes: 90 },
] as const

/** The day of every creation, in all three places: it is 10 in the morning in UTC. */
export const CREATED: PlainDay = { year: 2030, month: 1, day: 15 }
/** The last day on which anything is charged. */
export const LAST: PlainDay = { year: 2039, month: 12, day: 31 }

/** The amount of every charge. */
export const AMOUNT = { major: '9.99', minor: 999n, currency: 'EUR' } as const

/** A schedule that the merchant creates. */
export interface PlannedSchedule {
  readonly endpoint: (typeof ENDPOINTS)[number]
  readonly cardType: 'SRC' | 'DST'
  readonly period: 'day' | 'week' | 'month' | 'year'
  readonly interval: number
  readonly start: PlainDay
  readonly finish: PlainDay
}

/** Most are monthly; starts crowd at the ends of months and on leap days; some began before they were created. */
export function randomSchedule(random: Random): PlannedSchedule {
  const luck = random.below(100)
  const period = luck < 62 ? 'month' : luck < 82 ? 'week' : luck < 87 ? 'day' : 'year'
  return {
    endpoint: random.pick(ENDPOINTS),
    cardType: random.below(10) === 0 ? 'DST' : 'SRC',
    period,
    interval: 1 + random.below(period === 'day' ? 5 : 3),
    start: randomStart(random),
    finish: random.below(3) === 0 ? { ...LAST, year: 2032 + random.below(8) } : LAST,
  }
}

function randomStart(random: Random): PlainDay {
  const kind = random.below(10)
  if (kind === 0) return { year: 2032, month: 2, day: 29 }
  if (kind === 1) return CREATED
  const year = kind === 2 ? 2029 : 2030 + random.below(2)
  const month = year === 2030 ? 2 + random.below(11) : 1 + random.below(12)
  const length = lengthOf(year, month)
  return { year, month, day: kind < 7 ? length - random.below(3) : 1 + random.below(length) }
}

/** A charge that there must be, and the instant before which it must not be made. */
export interface ExpectedCharge {
  readonly number: number
  readonly date: string
  readonly instant: number
}

/** The charges by the words of the rule, counted day by day. Periods before the creation are counted, not charged. */
export function expectedCharges(schedule: PlannedSchedule): readonly ExpectedCharge[] {
  const { start, finish } = schedule
  const charges: ExpectedCharge[] = []
  let number = 0
  for (let day = start; daysSince1970(day) <= daysSince1970(finish); day = nextDay(day)) {
    if (!isChargeDay(day, schedule)) continue
    number += 1
    if (daysSince1970(day) < daysSince1970(CREATED)) continue
    charges.push({ number, date: textOf(day), instant: instantOf(day, schedule) })
  }
  return charges
}

function isChargeDay(day: PlainDay, { period, interval, start }: PlannedSchedule): boolean {
  const days = daysSince1970(day) - daysSince1970(start)
  if (period === 'day') return days % interval === 0
  if (period === 'week') return days % (7 * interval) === 0
  const months = (day.year - start.year) * 12 + day.month - start.month
  const isItsMonth = months % (period === 'year' ? 12 * interval : interval) === 0
  // The same day of the month, or the last one if the month is too short.
  return isItsMonth && day.day === Math.min(start.day, lengthOf(day.year, day.month))
}

function instantOf(day: PlainDay, { endpoint }: PlannedSchedule): number {
  const hoursAhead = PLACES[endpoint.charges.timeZone]?.(day) ?? Number.NaN
  return ((daysSince1970(day) * 24 - hoursAhead) * 60 + endpoint.minutes) * 60_000
}

// A calendar of our own, counted day by day from tables: it shares nothing with the gateway's.

interface PlainDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

const LENGTHS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function lengthOf(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0)
}

export function textOf({ year, month, day }: PlainDay): string {
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

function nextDay({ year, month, day }: PlainDay): PlainDay {
  if (day < lengthOf(year, month)) return { year, month, day: day + 1 }
  return month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }
}

/** Days since 1 January 1970, one by one over the years. */
function daysSince1970({ year, month, day }: PlainDay): number {
  let days = day - 1
  for (let each = 1970; each < year; each++) days += isLeap(each) ? 366 : 365
  for (let each = 1; each < month; each++) days += lengthOf(year, each)
  return days
}

/** Hours ahead of UTC as the day begins at the place, by its law. They hold at the hours at which charges are made. */
const PLACES: Readonly<Record<string, (day: PlainDay) => number>> = {
  UTC: () => 0,
  'Europe/Berlin': (day) => (isBetween(day, lastSunday(day.year, 3), lastSunday(day.year, 10)) ? 2 : 1),
  'America/New_York': (day) => (isBetween(day, sunday(2, day.year, 3), sunday(1, day.year, 11)) ? -4 : -5),
}

/** Whether the day begins in summer time. The first day of summer time does not; the day on which it ends does. */
function isBetween(day: PlainDay, first: PlainDay, last: PlainDay): boolean {
  const at = daysSince1970(day)
  return at > daysSince1970(first) && at <= daysSince1970(last)
}

function sunday(which: number, year: number, month: number): PlainDay {
  const days = Array.from({ length: lengthOf(year, month) }, (_, at) => ({ year, month, day: at + 1 }))
  const sundays = days.filter(isSunday)
  return sundays.at(which < 0 ? which : which - 1) ?? { year, month, day: 1 }
}

function lastSunday(year: number, month: number): PlainDay {
  return sunday(-1, year, month)
}

/** 1 January 1970 was a Thursday. */
function isSunday(day: PlainDay): boolean {
  return daysSince1970(day) % 7 === 3
}
