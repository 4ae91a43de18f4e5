import { type Clock, randomData, systemClock } from './rims/system.ts'

/** `0` to `9` and `a` to `v`: in the order of their character codes, so that texts sort like the numbers they stand for. */
const RADIX = 32
/** They reach the year 3084. */
const TIME_DIGITS = 9
const RANDOM_DIGITS = 15

/**
 * A new client order id of 26 characters: a letter, the time in milliseconds, 75 random bits, a letter of 4 more. Ids
 * sort by the time at which they were made. A control has no borders between its terms: since the id begins and ends with
 * a letter, none of its characters can be taken for a digit of the amount (specification part 5.1: no separators).
 */
export function newClientOrderId(clock: Pick<Clock, 'now'> = systemClock): string {
  const [last = 0, ...random] = randomData(RANDOM_DIGITS + 1)
  const digits = random.map((byte) => (byte & 31).toString(RADIX)).join('')
  const letter = (10 + (last & 15)).toString(RADIX)
  const time = Math.trunc(clock.now()).toString(RADIX).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS)
  return `t${time}${digits}${letter}`
}

/**
 * Whether a character of this id could be mistaken for a digit of the term signed beside it: it begins or ends with a digit.
 * The gateway of tallystick is proof against this, others may not be.
 */
export function hasShiftingBorder(clientOrderId: string): boolean {
  return /^\d|\d$/.test(clientOrderId.trim())
}
