/** A calendar of our own, counted day by day from tables: it shares nothing with the gateway's. */

export interface PlainDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

const LENGTHS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function lengthOf(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0)
}

export function textOf({ year, month, day }: PlainDay): string {
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

export function nextDay({ year, month, day }: PlainDay): PlainDay {
  if (day < lengthOf(year, month)) return { year, month, day: day + 1 }
  return month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }
}

/** Days since 1 January 1970, one by one over the years. */
export function daysSince1970({ year, month, day }: PlainDay): number {
  let days = day - 1
  for (let each = 1970; each < year; each++) days += isLeap(each) ? 366 : 365
  for (let each = 1; each < month; each++) days += lengthOf(year, each)
  return days
}

/** Hours ahead of UTC as the day begins at the place, by its law. They hold at the hours at which charges are made. */
export const PLACES: Readonly<Record<string, (day: PlainDay) => number>> = {
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
