import type { LentBytes } from './lent-bytes.ts'
import { percentDecode } from './percent-decode.ts'

// Both loops and their constants are in one module: V8 reads what is imported anew at each use, for twice the time.

const PERCENT = 0x25
const AMPERSAND = 0x26
const EQUALS = 0x3d

/** `%`, `&` and `=`, encoded: three bytes in one number, the first of them lowest. */
const ENCODED_PERCENT = 0x353225
const ENCODED_AMPERSAND = 0x363225
const ENCODED_EQUALS = 0x443325

/** The most bytes that are written at once. */
const WORD_BYTES = 4

const HEX_DIGITS = Buffer.from('0123456789ABCDEF')
const UNRESERVED = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')

/** 1 where a byte stays as it is. A table: a chain of comparisons goes another way at every other byte. */
const STAYS = new Uint8Array(256)
for (const code of UNRESERVED) STAYS[code] = 1

/** The two hexadecimal digits of each byte, the first of them lowest. */
const DIGITS_OF = Uint16Array.from({ length: 256 }, (_, code) => {
  return (HEX_DIGITS[code >> 4] as number) | ((HEX_DIGITS[code & 0xf] as number) << 8)
})

const NO_DIGIT = 0x100

/** What each byte is worth as a hexadecimal digit in upper case; of others so much that no byte is. */
const VALUE_OF = new Uint16Array(256).fill(NO_DIGIT)
for (const [value, code] of HEX_DIGITS.entries()) VALUE_OF[code] = value

/** The byte that an escape stands for, from the place of its two digits; above 255 where they are none. */
function escapedAt(bytes: Uint8Array, at: number): number {
  return ((VALUE_OF[bytes[at] as number] as number) << 4) | (VALUE_OF[bytes[at + 1] as number] as number)
}

/** What stands between a name and its value, and between two parameters, in text that is not encoded yet. */
export const [NAME_END, VALUE_END] = ['\0', '\u0001'] as const
const LAST_SEPARATOR = 1

/** The most bytes that one byte becomes, encoded once and twice: `%XX` and `%25XX`. */
const [MOST_ONCE, MOST_TWICE] = [3, 5] as const

/** How many bytes it takes to encode so many: those themselves and once encoded, and twice encoded. */
export function roomFor(length: number): { readonly once: number; readonly twice: number } {
  return { once: 1 + (1 + MOST_ONCE) * length + WORD_BYTES, twice: MOST_TWICE * length + WORD_BYTES }
}

/**
 * Encodes names and values in UTF-8, which `once` is filled with: behind them as the parameter string holds them, and in
 * `twice` as the base string does, in one pass. Separators become `=` and `&`. Gives where the parameter string begins, and
 * how many separators there were.
 *
 * A fast path: one loop without calls, which takes two bytes at once where both stay as they are, as most do.
 * `percentEncode`, and the same of what comes out, is the plain version, and its reference in the tests.
 */
export function encodeTwice(
  once: LentBytes,
  twice: LentBytes,
): { readonly start: number; readonly separators: number } {
  const from = once.view
  const to = twice.view
  const length = once.end
  // Whatever stood here is not taken together with the last byte.
  from.setUint8(length, LAST_SEPARATOR)
  const start = length + 1
  let onceEnd = start
  let twiceEnd = twice.end
  let separators = 0
  for (let at = 0; at < length; ) {
    const two = from.getUint16(at, true)
    const code = two & 0xff
    if ((STAYS[code] as number) & (STAYS[two >> 8] as number)) {
      from.setUint16(onceEnd, two, true)
      to.setUint16(twiceEnd, two, true)
      onceEnd += 2
      twiceEnd += 2
      at += 2
      continue
    }
    at++
    if (STAYS[code] === 1) {
      from.setUint8(onceEnd++, code)
      to.setUint8(twiceEnd++, code)
    } else if (code <= LAST_SEPARATOR) {
      separators++
      from.setUint8(onceEnd++, code === LAST_SEPARATOR ? AMPERSAND : EQUALS)
      to.setUint32(twiceEnd, code === LAST_SEPARATOR ? ENCODED_AMPERSAND : ENCODED_EQUALS, true)
      twiceEnd += 3
    } else {
      const digits = DIGITS_OF[code] as number
      from.setUint32(onceEnd, PERCENT | (digits << 8), true)
      to.setUint32(twiceEnd, ENCODED_PERCENT, true)
      to.setUint16(twiceEnd + 3, digits, true)
      onceEnd += 3
      twiceEnd += 5
    }
  }
  once.end = onceEnd
  twice.end = twiceEnd
  return { start, separators }
}

/** The most bytes that one byte becomes: `%25`, `%3D` or `%26`. */
const MOST_AGAIN = 3
const BEYOND_ASCII = 0x80

/** How many bytes it takes to encode a parameter string again: its own, and those. */
export function roomAgain({ length }: string): { readonly once: number; readonly again: number } {
  return { once: length + 1, again: MOST_AGAIN * length + WORD_BYTES }
}

/**
 * Percent-encodes a parameter string once more, as the base string holds it, and tells whether it is canonical: names and
 * values encoded as `percentEncode` does, with nothing else between them, the names in ascending order and each once. What
 * is no parameter string is not canonical; what is written of it then is no base string.
 *
 * A fast path, and one loop. A parameter string is encoded text, in which `%`, `=` and `&` are all that a second encoding
 * finds. For the bytes `signatureBaseString` is the plain version, and its reference in the tests; for the verdict decoding,
 * and `normalizeParameters` of what comes out. `false` is no verdict on a body: it sends it that way.
 */
export function encodeAgain(text: string, once: LentBytes, again: LentBytes): boolean {
  const { bytes, view: from } = once
  const to = again.view
  // What is not ASCII is more bytes than characters; where there is no room for all, it is seen by its bytes.
  const length = bytes.write(text)
  once.end = length
  if (length !== text.length) return false
  // Whatever stood here is not taken together with the last byte.
  bytes[length] = 0
  let end = again.end
  // Until it is known better: all of it is wiped, wherever this ends.
  again.end += MOST_AGAIN * length
  let name = 0
  let isName = true
  let isSorted = true
  let readable = 0
  for (let at = 0; at < length; ) {
    const two = from.getUint16(at, true)
    const code = two & 0xff
    if ((STAYS[code] as number) & (STAYS[two >> 8] as number)) {
      to.setUint16(end, two, true)
      end += 2
      at += 2
      continue
    }
    at++
    if (code === PERCENT) {
      const escaped = escapedAt(bytes, at)
      if (STAYS[escaped] !== 0) return false
      if (escaped >= BEYOND_ASCII && at > readable) {
        readable = endOfEscapes(bytes, at - 1)
        if (percentDecode(text.slice(at - 1, readable)) === undefined) return false
      }
      to.setUint32(end, ENCODED_PERCENT, true)
      to.setUint16(end + 3, from.getUint16(at, true), true)
      end += 5
      at += 2
    } else if (code === EQUALS) {
      if (!isName) return false
      isName = false
      to.setUint32(end, ENCODED_EQUALS, true)
      end += 3
    } else if (code === AMPERSAND) {
      if (isName) return false
      isName = true
      isSorted &&= isBefore(bytes, name, at)
      name = at
      to.setUint32(end, ENCODED_AMPERSAND, true)
      end += 3
    } else {
      if (STAYS[code] === 0) return false
      to.setUint8(end++, code)
    }
  }
  again.end = end
  return isSorted && !isName
}

/** Where escapes beyond ASCII end that begin here: whole characters, if they are UTF-8. */
function endOfEscapes(bytes: Uint8Array, start: number): number {
  let end = start
  while (bytes[end] === PERCENT && isBeyondAscii(escapedAt(bytes, end + 1))) end += 3
  return end
}

/** And a byte: two digits that are none give more. */
function isBeyondAscii(escaped: number): boolean {
  return escaped >= BEYOND_ASCII && escaped <= 0xff
}

/** Whether the name that begins at `a` sorts before the one at `b`. An equals sign ends both, in a parameter string. */
function isBefore(bytes: Uint8Array, a: number, b: number): boolean {
  let at = 0
  while (bytes[a + at] === bytes[b + at] && bytes[a + at] !== EQUALS) at++
  const [code, other] = [bytes[a + at] as number, bytes[b + at] as number]
  return other !== EQUALS && (code === EQUALS || code < other)
}
