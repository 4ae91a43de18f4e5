/** A day of the Gregorian calendar. */
export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

const FIRST_YEAR = 1970
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Reads `YYYY-MM-DD`.
 *
 * @throws TypeError if the calendar has no such day from 1970 on
 */
export function parseDay(text: string): CalendarDay {
  const day = dayOf(text)
  if (day === undefined) throw new TypeError('A date must be a day of the calendar from 1970 on, as YYYY-MM-DD')
  return day
}

/** Whether the calendar has such a day from 1970 on, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return dayOf(text) !== undefined
}

function dayOf(text: string): CalendarDay | undefined {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const isInCalendar = year >= FIRST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  return DAY.test(text) && isInCalendar ? { year, month, day } : undefined
}

export function formatDay({ year, month, day }: CalendarDay): string {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

/** How many days a month has: `month` is 1 to 12. Day 0 of the next month is the last of this one. */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** So many months later: the same day, or the last day of a month that is too short for it. */
export function addMonths({ year, month, day }: CalendarDay, months: number): CalendarDay {
  const count = monthCount({ year, month }) + months
  const later = { year: Math.floor(count / 12), month: (count % 12) + 1 }
  return { ...later, day: Math.min(day, daysIn(later.year, later.month)) }
}

/** Months since the year 0. */
export function monthCount({ year, month }: Pick<CalendarDay, 'year' | 'month'>): number {
  return year * 12 + month - 1
}

const DAY_MS = 86_400_000

/** Days since 1 January 1970. */
export function dayCount({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day) / DAY_MS
}

/** So many days later. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  const date = new Date((dayCount(day) + days) * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A time of day in a place. */
export interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** `HH:MM`, 24 hours. */
  readonly time: string
  /** An IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string
}

/**
 * The instant of a local time, in milliseconds since 1970.
 *
 * When clocks go forward, a time that is skipped moves forward by as much: 02:30 is 03:30. When they go back, a time that
 * happens twice is the first, as in RFC 5545 section 3.3.5.
 *
 * @throws TypeError if the date or the time is invalid
 * @throws RangeError if there is no such time zone
 */
export function chargeInstant({ date, time, timeZone }: LocalTime): number {
  const wall = dayCount(parseDay(date)) * DAY_MS + minutesOf(time) * 60_000
  const clock = clockOf(timeZone)
  const before = wall - (clock(wall - DAY_MS) - (wall - DAY_MS))
  const after = wall - (clock(wall + DAY_MS) - (wall + DAY_MS))
  const shown = [before, after].find((instant) => clock(instant) === wall)
  return shown ?? before
}

const NUMERIC = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

function minutesOf(time: string): number {
  if (!TIME.test(time)) throw new TypeError('A time must be HH:MM from 00:00 to 23:59')
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** Returns what clocks in the zone show at an instant, as milliseconds since their own 1970. */
function clockOf(timeZone: string): (instant: number) => number {
  // UTC needs no format, which would take most of the time of a charge.
  if (timeZone === 'UTC') return (instant) => instant
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { ...NUMERIC, hourCycle: 'h23', timeZone })
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    const shown = (part: keyof typeof NUMERIC) => Number(parts[part])
    const days = dayCount({ year: shown('year'), month: shown('month'), day: shown('day') })
    return days * DAY_MS + (shown('hour') * 3600 + shown('minute') * 60 + shown('second')) * 1000
  }
}
