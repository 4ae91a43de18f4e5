import { timingSafeEqual } from 'node:crypto'

/** The length of 20 bytes in base64. */
const LENGTH = 28
const [EXPECTED, RECEIVED] = [Buffer.alloc(LENGTH), Buffer.alloc(LENGTH)]

/**
 * Compares a received signature with the expected one in constant time. Both are base64 of HMAC-SHA1; text beyond ASCII is
 * written as UTF-8 and so equals nothing.
 *
 * Uses the same two buffers each time, because allocating takes longer than all the rest. After a mismatch the expected
 * signature is wiped: it is what a forger lacks.
 */
export function isSameMac(expected: string, received: string): boolean {
  if (received.length !== LENGTH || RECEIVED.write(received) !== LENGTH) return false
  EXPECTED.write(expected, 'latin1')
  const isSame = timingSafeEqual(EXPECTED, RECEIVED)
  if (!isSame) EXPECTED.fill(0)
  return isSame
}
