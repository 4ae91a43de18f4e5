import { type Clock, randomData, systemClock } from './rims/system.ts'

/** In the order of their character codes, so that texts sort like the numbers they stand for. 32 of them: 5 bits each. */
const DIGITS = '0123456789abcdefghijklmnopqrstuv'
const LETTERS = 'abcdefghijklmnop'
const TIME_DIGITS = 9
const RANDOM_DIGITS = 15

/**
 * A new client order id of 26 characters: a letter, the time in milliseconds, 75 random bits, a letter of 4 more. Ids
 * sort by the time at which they were made. A control has no borders between its terms: since the id begins and ends with
 * a letter, none of its characters can be taken for a digit of the amount (specification part 5.1: no separators).
 */
export function newClientOrderId(clock: Pick<Clock, 'now'> = systemClock): string {
  const random = randomData(RANDOM_DIGITS + 1)
  const digits = Array.from(random.subarray(1), (byte) => DIGITS[byte & 31]).join('')
  return `t${timeText(clock.now())}${digits}${LETTERS[(random[0] ?? 0) & 15]}`
}

/** Nine digits of 32 reach the year 3084. */
function timeText(milliseconds: number): string {
  return Math.trunc(milliseconds).toString(32).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS)
}

/**
 * Whether a character of this id could be mistaken for a digit of the term signed beside it: it begins or ends with a digit.
 * The gateway of tallystick is proof against this, others may not be.
 */
export function hasShiftingBorder(clientOrderId: string): boolean {
  return /^\d|\d$/.test(clientOrderId.trim())
}
