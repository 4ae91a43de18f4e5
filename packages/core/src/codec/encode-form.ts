import { isUnreserved, percentEncode } from './percent.ts'

/** Every runtime has it, but the types of core cover only the language. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }

/** Forms of up to so many characters always fit. */
const MOST = 4096

/** The most bytes of a character: three of UTF-8, each escaped. */
const BYTES_PER_CHARACTER = 9

/** The buffer in which forms are written, one at a time. */
const BYTES = new Uint8Array(MOST * BYTES_PER_CHARACTER)

/** The ASCII characters that stay as they are, and 0 for the others. */
const KEPT = Uint8Array.from({ length: 128 }, (_, byte) => (isUnreserved(byte) ? byte : 0))

/** Whether a form is being written: a caller's own `reveal`, asked for a text, may write another one meanwhile. */
let isWriting = false

const DECODER = new TextDecoder()

const EQUALS = 0x3d
const AMPERSAND = 0x26
const PERCENT = 0x25

/** Appends a pair. Returns whether there was room for it: if not, write nothing more. */
export type WritePair = (name: string, value: string) => boolean

/** Writes the pairs of a form, one by one, without making them. Returns whether there was room for all. */
export type WriteAll = (write: WritePair) => boolean

/**
 * A fast path: writes the bytes of all pairs in one buffer, in half of the time that separate texts take. `undefined` if the
 * pairs are long: then `plainForm` encodes them, which is the reference in the tests.
 *
 * The buffer is always the same one, because a new one takes longer to make than all the rest. It holds card data, so it is
 * overwritten.
 *
 * @throws URIError if a text has half of a surrogate pair
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
    // The text that cannot be encoded may be partly written behind `end`.
    end = BYTES.length
    throw error
  } finally {
    BYTES.fill(0, 0, end)
    isWriting = false
  }
}

/** Writes the text from `end` on, and returns where it ends. */
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
