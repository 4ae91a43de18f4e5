import { digitsOf, TABLES } from './byte-tables.ts'
import type { LentBytes } from './lent-bytes.ts'
import { percentDecode } from './percent-decode.ts'

const { STAYS, BOTH_STAY } = TABLES

const PERCENT = 0x25
const AMPERSAND = 0x26
const EQUALS = 0x3d

/** `%`, `&` and `=`, encoded: three bytes in one number, the first of them lowest. */
const ENCODED_PERCENT = 0x353225
const ENCODED_AMPERSAND = 0x363225
const ENCODED_EQUALS = 0x443325

/** What an escape of two digits is of. */
const NOTHING = 0
const ASCII = 1
const BEYOND_ASCII = 2
/** What two digits escape where they have to. Nothing where they are no digits, or of a byte that stays. */
const ESCAPED_BY = new Uint8Array(0x10000)
for (let code = 0; code < 0x100; code++) {
  if (STAYS[code] === 0) ESCAPED_BY[digitsOf(code)] = code < 0x80 ? ASCII : BEYOND_ASCII
}

/** The most bytes that are read and written at once. */
const WORD_BYTES = 4

/** The most bytes that one byte becomes: `%25`, `%3D` or `%26`. */
const MOST_AGAIN = 3

/** How many bytes it takes to encode a parameter string again: its own, and those. */
export function roomAgain({ length }: string): { readonly once: number; readonly again: number } {
  return { once: length + WORD_BYTES, again: MOST_AGAIN * length + WORD_BYTES }
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
  from.setUint32(length, 0)
  let end = again.end
  // Until it is known better: all of it is wiped, wherever this ends.
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

/** Where escapes beyond ASCII end that begin here: whole characters, if they are UTF-8. */
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
