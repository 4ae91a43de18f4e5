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
  return encodeAgain(beginning, parameterString).baseString
}

/** As {@link baseStringBytes}; `undefined` where the names are not in ascending order, or one of them repeats. */
export function sortedBaseStringBytes(beginning: Uint8Array, parameterString: string): LentBytes | undefined {
  const { baseString, isSorted } = encodeAgain(beginning, parameterString)
  if (!isSorted) returnBytes(baseString)
  return isSorted ? baseString : undefined
}

function encodeAgain(beginning: Uint8Array, parameterString: string) {
  const { bytes, end: start } = beginBaseString(beginning, 3 * parameterString.length)
  const once = lendBytes(parameterString.length)
  const length = once.write(parameterString, 'latin1')
  const { end, isSorted } = writeEncodedAgain(once, length, bytes, start)
  returnBytes({ bytes: once, end: length })
  return { baseString: { bytes, end }, isSorted }
}

/** Bytes that begin as a base string does, with room for so many more. */
export function beginBaseString(beginning: Uint8Array, room: number): LentBytes {
  const end = BASE_STRING_START + beginning.length
  const bytes = lendBytes(end + room)
  bytes.set(beginning, BASE_STRING_START)
  return { bytes, end }
}

/** One loop: the order of the names is looked at where it comes past a border between two. */
function writeEncodedAgain(once: Uint8Array, length: number, bytes: Uint8Array, start: number) {
  let end = start
  let name = 0
  let isSorted = true
  for (let at = 0; at < length; at++) {
    const code = once[at] as number
    if (code === PERCENT || code === EQUALS || code === AMPERSAND) {
      bytes[end] = PERCENT
      bytes[end + 1] = code === EQUALS ? THREE : TWO
      bytes[end + 2] = code === EQUALS ? UPPER_D : code === PERCENT ? FIVE : SIX
      end += 3
      if (code !== AMPERSAND) continue
      isSorted &&= isBefore(once, name, at + 1)
      name = at + 1
    } else bytes[end++] = code
  }
  return { end, isSorted }
}

/** Whether the name that begins at `a` sorts before the one at `b`. An equals sign ends both, in a parameter string. */
function isBefore(once: Uint8Array, a: number, b: number): boolean {
  let at = 0
  while (once[a + at] === once[b + at] && once[a + at] !== EQUALS) at++
  const [code, other] = [once[a + at] as number, once[b + at] as number]
  return other !== EQUALS && (code === EQUALS || code < other)
}
