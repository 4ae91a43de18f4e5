import { createHmac } from 'node:crypto'
import type { Secret } from '@tallystick/core'
import { type Clock, randomData, systemClock } from '../runtime/system.ts'

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

const LENGTH = 26
/** A letter at the ends, and so often between that no digits in a row look like a card number. */
const isLetterAt = (place: number) => place % 8 === 0 || place === LENGTH - 1

/**
 * The client order id that follows from names, for who has the key: always the same one, and 126 bits that nobody else can guess.
 * As {@link newClientOrderId} in length and characters, but in no order of time.
 *
 * The key is not used as it is: what was signed with a control key elsewhere says nothing about these ids.
 */
export function derivedClientOrderId(names: readonly string[], key: Secret): string {
  const ownKey = createHmac('sha256', key.reveal()).update('tallystick client order id').digest()
  const bytes = createHmac('sha256', ownKey).update(JSON.stringify(names)).digest()
  const digits = [...bytes.subarray(0, LENGTH)].map((byte, place) => (isLetterAt(place) ? 10 + (byte & 15) : byte & 31))
  return digits.map((digit) => digit.toString(RADIX)).join('')
}
