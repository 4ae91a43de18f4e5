import { digitsOf, TABLES } from './byte-tables.ts'
import type { LentBytes } from './lent-bytes.ts'
import type { Parameter } from './parameter.ts'
import { percentEncode, requireText, requireWellFormed } from './percent-encode.ts'

const { STAYS, BOTH_STAY } = TABLES

const PERCENT = 0x25
/** `%`, encoded: three bytes in one number, the first in the low byte. */
const ENCODED_PERCENT = 0x353225

/** A piece of a parameter string, encoded once and twice, ready to be copied. */
export type EncodedTwice = { readonly once: Octets; readonly twice: Octets }

/** ASCII, eight bytes to a number, and its length in bytes. No number is NaN, because the top bit of each byte is 0. */
type Octets = { readonly numbers: Float64Array; readonly length: number }

/** Names are short, and calling `set` takes longer than writing four numbers. */
const COPIED_BYTES = 32

/** Prepares a piece of a parameter string for {@link encodeTwice}. */
export function encodedTwice(piece: string): EncodedTwice {
  return { once: octetsOf(piece), twice: octetsOf(percentEncode(piece)) }
}

function octetsOf(ascii: string): Octets {
  const bytes = Buffer.alloc(Math.ceil(ascii.length / COPIED_BYTES) * COPIED_BYTES)
  bytes.write(ascii)
  return { numbers: new Float64Array(bytes.buffer), length: ascii.length }
}

/** How to write one parameter. */
export type Step = {
  /** What is written before the value. */
  readonly name: EncodedTwice
  /** The index of the caller's parameter with the value, {@link NONCE} or {@link NO_VALUE}. */
  readonly at: number
}

/** The value is the nonce. */
export const NONCE = -1
/** There is no value. */
export const NO_VALUE = -2

/** The most bytes of UTF-8 for one UTF-16 unit; and for one of those bytes when it is encoded twice, `%25XX`. */
const MOST_UTF8 = 3
const MOST_TWICE = 5
/** The most bytes that are read or written at once. */
const WORD_BYTES = 4
/** Room at the beginning of the bytes for one value in UTF-8, before it is encoded. */
export const PLAIN_BYTES = 2048
const LONGEST = Math.floor((PLAIN_BYTES - WORD_BYTES) / MOST_UTF8)
/** A value up to this length is read faster character by character than written as UTF-8 first. */
const SHORT = 8

/**
 * Appends the parameters of a request to `once` as the parameter string holds them and to `twice` as the base string does, each
 * behind an ampersand. Returns whether they fitted. The first {@link PLAIN_BYTES} of `once` are used for scratch.
 *
 * A fast path, in one function so that both ends stay in processor registers, which saves a third of the time. Bytes that need
 * no encoding, as most do not, are copied up to four at a time. The plain version, and reference in the tests, is
 * `normalizeParameters` and `percentEncode` of its result.
 *
 * @throws {SigningError} `BAD_TEXT` as `percentEncode`; `BAD_ARGUMENT` when a value is not a text.
 */
export function encodeTwice(
  steps: readonly Step[],
  nonce: string,
  own: readonly Parameter[],
  once: LentBytes,
  twice: LentBytes,
): boolean {
  const { bytes, view: to } = once
  const { view: toTwice } = twice
  const room = Math.min(bytes.length - PLAIN_BYTES, twice.bytes.length) - COPIED_BYTES
  let end = once.end
  let endTwice = twice.end
  // The most that may be written, so that all of it is wiped wherever this ends.
  once.end = bytes.length
  twice.end = twice.bytes.length
  for (const { name, at } of steps) {
    const text = at >= 0 ? requireText((own[at] as Parameter)[1]) : at === NONCE ? nonce : ''
    const units = text.length
    if (units > LONGEST || endTwice + name.twice.length + MOST_UTF8 * MOST_TWICE * units > room) return false
    copy(name.once, to, end)
    copy(name.twice, toTwice, endTwice)
    end += name.once.length
    endTwice += name.twice.length
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
    const length = bytes.write(text)
    if (length !== units) requireWellFormed(text)
    // So that the last byte is not read together with what stood behind it.
    to.setUint32(length, 0)
    for (read = 0; read < length; ) {
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
  once.end = end
  twice.end = endTwice
  return true
}

/** Copies whole numbers: bytes behind the piece are overwritten by what follows. */
function copy({ numbers }: Octets, to: DataView, end: number): void {
  for (let at = 0, place = end; at < numbers.length; at += 4, place += COPIED_BYTES) {
    to.setFloat64(place, numbers[at] as number, true)
    to.setFloat64(place + 8, numbers[at + 1] as number, true)
    to.setFloat64(place + 16, numbers[at + 2] as number, true)
    to.setFloat64(place + 24, numbers[at + 3] as number, true)
  }
}
