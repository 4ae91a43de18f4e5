import type { Random } from '@tallystick/proof-kit'

/** The endpoints, with the time of day at which each charges: some times fall into changes of the clock at the place. */
export const ENDPOINTS = [
  { id: '253', charges: { time: '00:00', timeZone: 'UTC' }, minutes: 0 },
  { id: '254', charges: { time: '02:30', timeZone: 'Europe/Berlin' }, minutes: 150 },
  { id: '255', charges: { time: '01:30', timeZone: 'America/New_York' }, minutes: 90 },
] as const

/** A day of a calendar of our own, counted from tables: it shares nothing with the gateway's. */
interface Day {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  /** Days since 1 January 1970, a Thursday. */
  readonly number: number
}

const LENGTHS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function lengthOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeap ? 29 : (LENGTHS[month - 1] ?? 0)
}

const DAYS: Day[] = []
for (let year = 1970; year < 2041; year++) {
  for (let month = 1; month <= 12; month++) {
    for (let day = 1; day <= lengthOf(year, month); day++) DAYS.push({ year, month, day, number: DAYS.length })
  }
}

function dayOf(year: number, month: number, day: number): Day {
  const found = DAYS.find((each) => each.year === year && each.month === month && each.day === day)
  if (found === undefined) throw new Error(`there is no day ${year}-${month}-${day}`)
  return found
}

export function textOf({ year, month, day }: Day): string {
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}

/** The day of every creation, in all three places: it is 10 in the morning in UTC. */
export const CREATED = dayOf(2030, 1, 15)

/** The amount of every charge. */
export const AMOUNT = { major: '9.99', minor: 999n, currency: 'EUR' } as const

/** A schedule that the merchant creates. */
export interface PlannedSchedule {
  readonly endpoint: (typeof ENDPOINTS)[number]
  readonly cardType: 'SRC' | 'DST'
  readonly period: 'day' | 'week' | 'month' | 'year'
  readonly interval: number
  readonly start: Day
  readonly finish: Day
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
    // Nothing is charged after 2039.
    finish: dayOf(random.below(3) === 0 ? 2032 + random.below(8) : 2039, 12, 31),
  }
}

function randomStart(random: Random): Day {
  const kind = random.below(10)
  if (kind === 0) return dayOf(2032, 2, 29)
  if (kind === 1) return CREATED
  const year = kind === 2 ? 2029 : 2030 + random.below(2)
  const month = year === 2030 ? 2 + random.below(11) : 1 + random.below(12)
  const length = lengthOf(year, month)
  return dayOf(year, month, kind < 7 ? length - random.below(3) : 1 + random.below(length))
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
  return DAYS.slice(start.number, finish.number + 1)
    .filter((day) => isChargeDay(day, schedule))
    .map((day, at) => ({ day, number: at + 1, date: textOf(day), instant: instantOf(day, schedule) }))
    .filter(({ day }) => day.number >= CREATED.number)
}

function isChargeDay(day: Day, { period, interval, start }: PlannedSchedule): boolean {
  const days = day.number - start.number
  if (period === 'day') return days % interval === 0
  if (period === 'week') return days % (7 * interval) === 0
  const months = (day.year - start.year) * 12 + day.month - start.month
  const isItsMonth = months % (period === 'year' ? 12 * interval : interval) === 0
  // The same day of the month, or the last one if the month is too short.
  return isItsMonth && day.day === Math.min(start.day, lengthOf(day.year, day.month))
}

function instantOf(day: Day, { endpoint }: PlannedSchedule): number {
  const hoursAhead = PLACES[endpoint.charges.timeZone](day)
  return ((day.number * 24 - hoursAhead) * 60 + endpoint.minutes) * 60_000
}

/** Hours ahead of UTC as the day begins at the place, by its law. They hold at the hours at which charges are made. */
const PLACES = {
  UTC: () => 0,
  'Europe/Berlin': (day: Day) => (isBetween(day, sundays(day.year, 3).at(-1), sundays(day.year, 10).at(-1)) ? 2 : 1),
  'America/New_York': (day: Day) => (isBetween(day, sundays(day.year, 3)[1], sundays(day.year, 11)[0]) ? -4 : -5),
}

/** Whether the day begins in summer time. The first day of summer time does not; the day on which it ends does. */
function isBetween({ number }: Day, first: Day | undefined, last: Day | undefined): boolean {
  return number > (first?.number ?? Number.NaN) && number <= (last?.number ?? Number.NaN)
}

const SUNDAYS = Map.groupBy(
  DAYS.filter(({ number }) => number % 7 === 3),
  ({ year, month }) => `${year}-${month}`,
)

function sundays(year: number, month: number): readonly Day[] {
  return SUNDAYS.get(`${year}-${month}`) ?? []
}
