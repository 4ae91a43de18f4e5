const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Milliseconds, or a whole number with its unit: `'30s'`, `'15m'`, `'24h'`, `'14d'`, `'2w'`. The times of an endpoint are whole
 * milliseconds, and 36500 days at most; `settleAfter` alone may be 0.
 */
export type Duration = number | `${number}${keyof typeof UNITS}`

const DURATION = /^(\d+)(ms|[smhdw])$/

/** @throws TypeError when it is none, or below zero */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && duration >= 0) return duration
  const [, count, unit] = DURATION.exec(String(duration)) ?? []
  if (count === undefined) {
    throw new TypeError(`A duration must be milliseconds from 0 on, or like 30s, 15m, 24h, 14d; it is ${duration}`)
  }
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}

/** A century. Nobody waits longer, and its end is still a valid date. */
const LONGEST = '36500d'

/**
 * A duration as stores keep it and add it to a time.
 *
 * @throws TypeError when it is none, not whole, or longer than a century
 */
export function storedMilliseconds(duration: Duration): number {
  const length = milliseconds(duration)
  if (Number.isInteger(length) && length <= milliseconds(LONGEST)) return length
  throw new TypeError(`must be whole milliseconds, and ${LONGEST} at most; it is ${duration}`)
}
