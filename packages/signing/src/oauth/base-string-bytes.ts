import { HMAC_BLOCK_BYTES } from '../keys/hmac-blocks.ts'
import { encodeAgain, roomAgain } from './encode-again.ts'
import { type LentBytes, lendBytes, returnBytes } from './lent-bytes.ts'

/** Where a base string begins in its bytes: before it there is room for the block of an HMAC key. */
export const BASE_STRING_START = HMAC_BLOCK_BYTES

/**
 * The bytes of a base string: its beginning (method and URL, encoded), and the parameter string percent-encoded after it.
 * They are lent: give them back when they have been signed.
 *
 * `signatureBaseString` is the plain version, and its reference in the tests.
 */
export function baseStringBytes(beginning: Uint8Array, parameterString: string): LentBytes {
  return writeBaseString(beginning, parameterString).baseString
}

/**
 * As {@link baseStringBytes}, of a body as it arrived; `undefined` unless the body is written exactly as a parameter string
 * is, its names ascending and unique.
 */
export function canonicalBaseStringBytes(beginning: Uint8Array, body: string): LentBytes | undefined {
  const { baseString, isCanonical } = writeBaseString(beginning, body)
  if (isCanonical) return baseString
  returnBytes(baseString)
  return undefined
}

function writeBaseString(beginning: Uint8Array, text: string) {
  const room = roomAgain(text)
  const baseString = beginBaseString(beginning, room.again)
  const once = lendBytes(room.once)
  const isCanonical = encodeAgain(text, once, baseString)
  returnBytes(once)
  return { baseString, isCanonical }
}

/** Bytes that hold the beginning of a base string, with room for the rest. */
function beginBaseString(beginning: Uint8Array, room: number): LentBytes {
  const lent = lendBytes(BASE_STRING_START + beginning.length + room)
  lent.bytes.set(beginning, BASE_STRING_START)
  lent.end = BASE_STRING_START + beginning.length
  return lent
}
