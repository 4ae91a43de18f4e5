import { DAY_MS, dayCount, parseDay } from './calendar.ts'

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
