const DELAY_SECONDS = /^\d+$/

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The three forms of an HTTP date (RFC 9110 section 5.6.7): the preferred one, RFC 850's and asctime's. */
const DATES: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
]

/**
 * How many milliseconds a `Retry-After` asks to wait, in seconds or as a date (RFC 9110 section 10.2.3). Zero when it is
 * absent, past or unreadable; it may be infinite. A sender of plain JavaScript may give a number.
 */
export function retryAfterMs(value: string | undefined, now: number): number {
  const text = String(value ?? '').trim()
  if (DELAY_SECONDS.test(text)) return Number(text) * 1000
  return Math.max(0, (httpDate(text, now) ?? now) - now)
}

function httpDate(text: string, now: number): number | undefined {
  const parts = DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return undefined
  const { day = '', month = '', year = '', time = '' } = parts
  const at = MONTHS.indexOf(month)
  const [hours, minutes, seconds] = time.split(':').map(Number)
  return at < 0 ? undefined : Date.UTC(fullYear(year, now), at, Number(day), hours, minutes, seconds)
}

/** A year of two digits that seems more than 50 years ahead is in the century before (RFC 9110 section 5.6.7). */
function fullYear(year: string, now: number): number {
  if (year.length === 4) return Number(year)
  const thisYear = new Date(now).getUTCFullYear()
  const guessed = thisYear - (thisYear % 100) + Number(year)
  return guessed > thisYear + 50 ? guessed - 100 : guessed
}
