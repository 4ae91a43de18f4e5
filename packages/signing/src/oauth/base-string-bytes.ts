import { HMAC_BLOCK_BYTES } from '../keys/hmac-blocks.ts'
import { type LentBytes, lendBytes, returnBytes } from './lent-bytes.ts'

/** Where a base string begins in its bytes: before it there is room for the block of an HMAC key. */
export const BASE_STRING_START = HMAC_BLOCK_BYTES

const [PERCENT, AMPERSAND, EQUALS] = [0x25, 0x26, 0x3d] as const
const [TWO, THREE, FIVE, SIX, UPPER_D] = [0x32, 0x33, 0x35, 0x36, 0x44] as const

/**
 * The bytes of a base string: its beginning (method and URL, encoded), and the parameter string percent-encoded after it.
 * They are lent: give them back when they have been signed.
 *
 * A fast path. A parameter string is encoded text, in which `%`, `=` and `&` are all that a second encoding finds, and
 * a loop over bytes takes less than `encodeURIComponent` does, and gives what is to be hashed, where it is to be hashed.
 * `signatureBaseString` is the plain version, and its reference in the tests.
 */
export function baseStringBytes(beginning: Uint8Array, parameterString: string): LentBytes {
  const { bytes, end: start } = beginBaseString(beginning, 3 * parameterString.length)
  const once = lendBytes(parameterString.length)
  const length = once.write(parameterString, 'latin1')
  const end = writeEncodedAgain(once, length, bytes, start)
  returnBytes({ bytes: once, end: length })
  return { bytes, end }
}

/** Bytes that begin as a base string does, with room for so many more. */
export function beginBaseString(beginning: Uint8Array, room: number): LentBytes {
  const end = BASE_STRING_START + beginning.length
  const bytes = lendBytes(end + room)
  bytes.set(beginning, BASE_STRING_START)
  return { bytes, end }
}

/** One loop without calls, which is what makes it fast. */
function writeEncodedAgain(once: Uint8Array, length: number, bytes: Uint8Array, start: number): number {
  let end = start
  for (let at = 0; at < length; at++) {
    const code = once[at] as number
    if (code === PERCENT || code === EQUALS || code === AMPERSAND) {
      bytes[end] = PERCENT
      bytes[end + 1] = code === EQUALS ? THREE : TWO
      bytes[end + 2] = code === EQUALS ? UPPER_D : code === PERCENT ? FIVE : SIX
      end += 3
    } else bytes[end++] = code
  }
  return end
}
