import { timingSafeEqual } from 'node:crypto'

/** The length of 20 bytes in base64. */
const LENGTH = 28
const [EXPECTED, RECEIVED] = [Buffer.alloc(LENGTH), Buffer.alloc(LENGTH)]

/**
 * Compares a signature that was received with the one that fits, both base64 of HMAC-SHA1, in constant time. What is not
 * ASCII is written as UTF-8, and so equals nothing.
 *
 * In the same bytes each time, because fresh ones take longer to make than all the rest. The expected signature is
 * overwritten: of a forged request it is what the forger lacks.
 */
export function isSameMac(expected: string, received: string): boolean {
  if (received.length !== LENGTH || RECEIVED.write(received) !== LENGTH) return false
  EXPECTED.write(expected, 'latin1')
  const isSame = timingSafeEqual(EXPECTED, RECEIVED)
  if (!isSame) EXPECTED.fill(0)
  return isSame
}
