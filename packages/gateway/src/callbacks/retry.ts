import type { Delivery, DeliveryState } from '../store/delivery.ts'
import type { CallbackAnswer, NoAnswer } from './callback-answer.ts'

/** Only this status acknowledges (gaps part 6). */
const ACKNOWLEDGED = 200
/** The merchant wants no more of it (RFC 9110 section 15.5.11). */
const GONE = 410

export interface Attempt {
  readonly begunAt: number
  readonly answer: CallbackAnswer | NoAnswer
  /** When the answer came. */
  readonly now: number
  /** By how much `now` may be ahead of the right time. Default 0. */
  readonly aheadMs?: number
  /** From 0 to 1, for the jitter. */
  readonly fraction: number
}

/** The delivery after an attempt: over, or due again by the schedule, or later if the merchant asked for that. */
export function afterAttempt(delivery: Delivery, { begunAt, answer, now, aheadMs = 0, fraction }: Attempt): Delivery {
  const { made, firstAt = begunAt } = delivery
  const lastAnswer = 'status' in answer ? String(answer.status) : answer.reason
  const sent = { ...delivery, made: made + 1, firstAt, lastAnswer }
  const status = 'status' in answer ? answer.status : undefined
  if (status === ACKNOWLEDGED) return { ...sent, state: 'acknowledged', dueAt: undefined }
  if (status === GONE) return over(sent, 'refused', now)
  const elapsedMs = now - aheadMs - firstAt
  const wait = nextWait({ made: sent.made, elapsedMs, fraction })
  if (wait === undefined) return over(sent, 'given-up', now)
  const asked = 'status' in answer ? retryAfterMs(answer.retryAfter, now) : 0
  return { ...sent, dueAt: now + Math.min(Math.max(wait, asked), LAST_AFTER_MS - elapsedMs) }
}

/**
 * The delivery when its host must not be called yet. This does not count as an attempt. A delivery whose 14 days are over is
 * given up. They begin with the first attempt, so a delivery that an outage of the gateway held up is still sent.
 */
export function putOff(delivery: Delivery, until: number, now: number, aheadMs = 0): Delivery {
  const { firstAt } = delivery
  if (firstAt === undefined) return { ...delivery, dueAt: until }
  const end = firstAt + LAST_AFTER_MS + aheadMs
  return now >= end ? over(delivery, 'given-up', now) : { ...delivery, dueAt: Math.min(until, end) }
}

/**
 * The delivery when an operator resends it: due now, in whatever state it was. One that was over is sent once more, and
 * if it had attempts left it continues by the schedule within 14 new days.
 */
export function resend(delivery: Delivery, now: number): Delivery {
  return delivery.state === 'open'
    ? { ...delivery, dueAt: now }
    : { ...delivery, state: 'open', dueAt: now, firstAt: now, givenUpAt: undefined }
}

/** The delivery when it has no address any more. */
export function withdrawn(delivery: Delivery, now: number): Delivery {
  return over(delivery, 'given-up', now)
}

function over(delivery: Delivery, state: Extract<DeliveryState, 'refused' | 'given-up'>, now: number): Delivery {
  return { ...delivery, state, dueAt: undefined, givenUpAt: now }
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The waits before the second and later attempts, in milliseconds; after the last, one a day (gaps part 13). */
const WAITS: readonly number[] = [
  ...[5, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12, 12].map((hours) => hours * HOUR),
]

const MAX_ATTEMPTS = 30
const JITTER = 0.2

/** How long after the first attempt the last may be made. */
const LAST_AFTER_MS = 14 * DAY

/** The longest that a delivery waits, by how often it was sent: a claim lasts a minute. The last is for all above. */
export const LONGEST_WAITS: readonly number[] = [0, ...WAITS, DAY].map((wait) => Math.max(MINUTE, wait * (1 + JITTER)))

interface AttemptsSoFar {
  /** How many attempts were made. */
  readonly made: number
  /** Milliseconds since the first. */
  readonly elapsedMs: number
  /** From 0 to 1: places the wait within 20 % either side. */
  readonly fraction: number
}

/**
 * How many milliseconds to wait before the next attempt, or `undefined` if there is none: at most 30 in 14 days (gaps part 6
 * and 13).
 */
export function nextWait({ made, elapsedMs, fraction }: AttemptsSoFar): number | undefined {
  if (made >= MAX_ATTEMPTS || elapsedMs >= LAST_AFTER_MS) return undefined
  const wait = (WAITS[made - 1] ?? DAY) * (1 - JITTER + 2 * JITTER * fraction)
  return Math.min(Math.round(wait), LAST_AFTER_MS - elapsedMs)
}

/** Why a delivery was given up or refused. */
export function givenUpBecause({ state, made, firstAt = Infinity, givenUpAt = 0 }: Delivery): string {
  if (state === 'refused') return 'refused by 410'
  if (made >= MAX_ATTEMPTS) return `${made} attempts`
  return givenUpAt - firstAt >= LAST_AFTER_MS ? '14 days' : 'no address any more'
}

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
