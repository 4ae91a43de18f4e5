import { isUnreserved, percentEncode } from './percent.ts'

/** Every runtime has it; the types of core know the language alone. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }

/** The most characters of a form that is surely encoded here. */
const MOST = 4096

/** The most bytes that a character becomes: three of UTF-8, each escaped. */
const BYTES_PER_CHARACTER = 9

/** The bytes that forms are written in, one after the other. */
const BYTES = new Uint8Array(MOST * BYTES_PER_CHARACTER)

/** Each character of ASCII that stays as it is, and 0 for the others. */
const KEPT = Uint8Array.from({ length: 128 }, (_, byte) => (isUnreserved(byte) ? byte : 0))

/** Whether the bytes hold a part of a form: what gives a text, such as a `reveal` of somebody's own, may write one meanwhile. */
let isWriting = false

const DECODER = new TextDecoder()

const EQUALS = 0x3d
const AMPERSAND = 0x26
const PERCENT = 0x25

/** Writes a pair behind the others. Gives whether there was room for it: where not, nothing more is to be written. */
export type WritePair = (name: string, value: string) => boolean

/** Writes the pairs of a form, one by one: they need not be made. Gives whether there was room for all. */
export type WriteAll = (write: WritePair) => boolean

/**
 * A fast path: writes the bytes of all pairs one after the other, in half of the time that texts of their own take.
 * `undefined` where the pairs are long: then `plainForm` encodes them, which is the reference in the tests.
 *
 * The bytes are the same each time, because fresh ones take longer to make than all the rest, and hold card data: they are
 * overwritten.
 *
 * @throws URIError when a text has half of a surrogate pair
 */
export function encodeForm(writeAll: WriteAll): string | undefined {
  if (isWriting) return undefined
  isWriting = true
  let end = 0
  const write: WritePair = (name, value) => {
    if (end + (name.length + value.length + 2) * BYTES_PER_CHARACTER > BYTES.length) return false
    end = writeText(name, end)
    BYTES[end++] = EQUALS
    end = writeText(value, end)
    BYTES[end++] = AMPERSAND
    return true
  }
  try {
    return writeAll(write) ? DECODER.decode(BYTES.subarray(0, Math.max(end - 1, 0))) : undefined
  } catch (error) {
    // Of the text that has no form a part is written beyond it.
    end = BYTES.length
    throw error
  } finally {
    BYTES.fill(0, 0, end)
    isWriting = false
  }
}

/** Writes the text from `end` on, and gives where it ends. */
function writeText(text: string, end: number): number {
  let at = end
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const as = KEPT[code]
    if (as === undefined) return writeEncoded(percentEncode(text), end)
    if (as !== 0) BYTES[at++] = as
    else {
      BYTES[at] = PERCENT
      BYTES[at + 1] = hexDigit(code >> 4)
      BYTES[at + 2] = hexDigit(code & 15)
      at += 3
    }
  }
  return at
}

/** A text beyond ASCII. */
function writeEncoded(encoded: string, end: number): number {
  for (let index = 0; index < encoded.length; index++) BYTES[end + index] = encoded.charCodeAt(index)
  return end + encoded.length
}

const ZERO = 0x30
const BEFORE_A = 0x37

function hexDigit(value: number): number {
  return value + (value < 10 ? ZERO : BEFORE_A)
}
