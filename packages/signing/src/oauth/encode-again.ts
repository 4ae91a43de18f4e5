import { percentDecode } from './percent.ts'
import { digitsOf, type ScratchBuffer, TABLES } from './scratch-buffer.ts'

const { STAYS, BOTH_STAY } = TABLES

const PERCENT = 0x25
const AMPERSAND = 0x26
const EQUALS = 0x3d

/** `%`, `&` and `=`, encoded: three bytes in one number, the first in the low byte. */
const ENCODED_PERCENT = 0x353225
const ENCODED_AMPERSAND = 0x363225
const ENCODED_EQUALS = 0x443325

/** What the two digits of an escape stand for. */
const NOTHING = 0
const ASCII = 1
const BEYOND_ASCII = 2
/** By the two digits of an escape. `NOTHING` if they are no digits, or escape a byte that needs no escape. */
const ESCAPED_BY = new Uint8Array(0x10000)
for (let code = 0; code < 0x100; code++) {
  if (STAYS[code] === 0) ESCAPED_BY[digitsOf(code)] = code < 0x80 ? ASCII : BEYOND_ASCII
}

/** The most bytes that are read or written at once. */
const WORD_BYTES = 4

/** The most bytes that one byte becomes: `%25`, `%3D` or `%26`. */
const MOST_AGAIN = 3

/** The room needed to encode a parameter string again: for the string itself, and for the result. */
export function roomAgain({ length }: string): { readonly once: number; readonly again: number } {
  return { once: length + WORD_BYTES, again: MOST_AGAIN * length + WORD_BYTES }
}

/**
 * Percent-encodes a parameter string once more, as the base string holds it, and returns whether it is canonical: names and
 * values encoded as `percentEncode` does, nothing else between them, the names ascending and unique. If not, what was written
 * is no base string.
 *
 * A fast path in one loop: a parameter string is encoded text, of which a second encoding changes only `%`, `=` and `&`. The
 * plain version, and reference in the tests, is `signatureBaseString` for the bytes, and decoding followed by
 * `normalizeParameters` for the result. `false` does not refuse a body: it takes the plain path.
 */
export function encodeAgain(text: string, once: ScratchBuffer, again: ScratchBuffer): boolean {
  const { bytes, view: from } = once
  const to = again.view
  // A character beyond ASCII takes several bytes, so the counts differ, even if the last characters do not fit.
  const length = bytes.write(text)
  once.end = length
  if (length !== text.length) return false
  // So that the last byte is not read together with what stood behind it.
  from.setUint32(length, 0)
  let end = again.end
  // The most that may be written, so that all of it is wiped wherever this ends.
  again.end += MOST_AGAIN * length
  let name = 0
  let isName = true
  let isSorted = true
  let readable = 0
  for (let at = 0; at < length; ) {
    const word = from.getUint32(at, true)
    if (BOTH_STAY[word & 0xffff] === 1) {
      const taken = BOTH_STAY[word >>> 16] === 1 ? 4 : 2
      to.setUint32(end, word, true)
      end += taken
      at += taken
      continue
    }
    const code = word & 0xff
    at++
    if (STAYS[code] === 1) {
      to.setUint8(end++, code)
    } else if (code === PERCENT) {
      const digits = from.getUint16(at, true)
      const escaped = ESCAPED_BY[digits] as number
      if (escaped === NOTHING) return false
      if (escaped === BEYOND_ASCII && at > readable) {
        readable = endOfEscapes(from, at - 1)
        if (percentDecode(text.slice(at - 1, readable)) === undefined) return false
      }
      to.setUint32(end, ENCODED_PERCENT, true)
      to.setUint16(end + 3, digits, true)
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
      return false
    }
  }
  again.end = end
  return isSorted && !isName
}

/** Where a run of escapes beyond ASCII ends: if they are UTF-8, they are whole characters. */
function endOfEscapes(from: DataView, start: number): number {
  let end = start
  while (from.getUint8(end) === PERCENT && ESCAPED_BY[from.getUint16(end + 1, true)] === BEYOND_ASCII) end += 3
  return end
}

/** Whether the name that begins at `a` sorts before the one at `b`. An equals sign ends both, in a parameter string. */
function isBefore(bytes: Uint8Array, a: number, b: number): boolean {
  let [one, other] = [bytes[a] as number, bytes[b] as number]
  for (let at = 1; one === other && one !== EQUALS; at++) {
    one = bytes[a + at] as number
    other = bytes[b + at] as number
  }
  return other !== EQUALS && (one === EQUALS || one < other)
}
