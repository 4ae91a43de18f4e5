import type { Random } from '@tallystick/proof-kit'
import { daysSince1970, lengthOf, nextDay, PLACES, type PlainDay, textOf } from './plain-calendar.ts'

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
