import type { Parameter } from './parameters.ts'
import { requireText, requireWellFormed } from './percent.ts'
import { digitsOf, type ScratchBuffer, TABLES } from './scratch-buffer.ts'
import { NONCE, PIECE_BYTES, type Script } from './script.ts'

const { STAYS, BOTH_STAY } = TABLES

const PERCENT = 0x25
/** `%`, encoded: three bytes in one number, the first in the low byte. */
const ENCODED_PERCENT = 0x353225

/** The numbers of a piece, encoded once and twice. */
const PIECE_NUMBERS = 8
/** Most pieces are no longer than this, encoded once or twice. */
const HALF_A_PIECE = PIECE_BYTES / 2

/** The most bytes of UTF-8 for one UTF-16 unit; and for one of those bytes when it is encoded twice, `%25XX`. */
const MOST_UTF8 = 3
const MOST_TWICE = 5
/** The most bytes for one of those bytes when it is encoded once, `%XX`. */
const MOST_ONCE = 3
/** The most bytes that are read or written at once. */
const WORD_BYTES = 4
/** A value up to this length is read faster character by character than written as UTF-8 first. */
const SHORT = 8

/**
 * Appends the parameters of a request to `once` as the parameter string holds them and to `twice` as the base string does, each
 * behind an ampersand. Returns where the parameter string ends, or `undefined` if they do not fit. The end of `once` is then that
 * of the bytes that were used: each value is written some way behind the parameter string before it is encoded.
 *
 * A fast path, in one function so that both ends stay in processor registers, which saves a third of the time. Bytes that need
 * no encoding, as most do not, are copied up to four at a time. The plain version, and reference in the tests, is
 * `normalizeParameters` and `percentEncode` of its result.
 *
 * @throws {SigningError} `BAD_TEXT` as `percentEncode`; `BAD_ARGUMENT` when a value is not a text.
 */
export function encodeTwice(
  { pieces, lengths, places }: Script,
  nonce: string,
  own: readonly Parameter[],
  once: ScratchBuffer,
  twice: ScratchBuffer,
): number | undefined {
  const { bytes, view: to } = once
  const { view: toTwice } = twice
  const room = Math.min(bytes.length, twice.bytes.length) - PIECE_BYTES
  let end = once.end
  let used = end
  let endTwice = twice.end
  // The most that may be written, so that all of it is wiped wherever this ends.
  once.end = bytes.length
  twice.end = twice.bytes.length
  for (let step = 0; step < places.length; step++) {
    const at = places[step] as number
    const text = at >= 0 ? requireText((own[at] as Parameter)[1]) : at === NONCE ? nonce : ''
    const units = text.length
    if (endTwice + PIECE_BYTES + MOST_UTF8 * MOST_TWICE * units > room) return undefined
    // Whole numbers: bytes behind the piece are overwritten by what follows.
    const from = step * PIECE_NUMBERS
    const length = lengths[2 * step + 1] as number
    to.setFloat64(end, pieces[from] as number, true)
    to.setFloat64(end + 8, pieces[from + 1] as number, true)
    toTwice.setFloat64(endTwice, pieces[from + 4] as number, true)
    toTwice.setFloat64(endTwice + 8, pieces[from + 5] as number, true)
    if (length > HALF_A_PIECE) {
      to.setFloat64(end + 16, pieces[from + 2] as number, true)
      to.setFloat64(end + 24, pieces[from + 3] as number, true)
      toTwice.setFloat64(endTwice + 16, pieces[from + 6] as number, true)
      toTwice.setFloat64(endTwice + 24, pieces[from + 7] as number, true)
    }
    end += lengths[2 * step] as number
    endTwice += length
    let read = 0
    if (units <= SHORT) {
      for (; read < units; read++) {
        const code = text.charCodeAt(read)
        if (STAYS[code] !== 1) break
        to.setUint8(end + read, code)
        toTwice.setUint8(endTwice + read, code)
      }
      if (read === units) {
        end += units
        endTwice += units
        continue
      }
    }
    // Far enough behind what is written from it.
    read = end + MOST_UTF8 * (MOST_ONCE - 1) * units + WORD_BYTES
    const readEnd = read + bytes.write(text, read)
    if (readEnd - read !== units) requireWellFormed(text)
    // So that the last byte is not read together with what stood behind it.
    to.setUint32(readEnd, 0)
    used = Math.max(used, readEnd)
    while (read < readEnd) {
      const word = to.getUint32(read, true)
      const code = word & 0xff
      if (BOTH_STAY[word & 0xffff] === 1) {
        const taken = BOTH_STAY[word >>> 16] === 1 ? 4 : 2
        to.setUint32(end, word, true)
        toTwice.setUint32(endTwice, word, true)
        end += taken
        endTwice += taken
        read += taken
      } else if (STAYS[code] === 1) {
        to.setUint8(end++, code)
        toTwice.setUint8(endTwice++, code)
        read++
      } else {
        const digits = digitsOf(code)
        to.setUint32(end, PERCENT | (digits << 8), true)
        toTwice.setUint32(endTwice, ENCODED_PERCENT, true)
        toTwice.setUint16(endTwice + 3, digits, true)
        end += 3
        endTwice += 5
        read++
      }
    }
  }
  once.end = Math.max(used, end)
  twice.end = endTwice
  return end
}
