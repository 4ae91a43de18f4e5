import { hash } from 'node:crypto'

/** The two blocks that an HMAC-SHA1 key is made into, once for all messages. */
export type HmacBlocks = {
  readonly inner: Uint8Array
  /** With room behind it for a digest. */
  readonly outer: Buffer
}

/** The length of a block, which is also the room that {@link hmacSha1} needs before a message. */
export const HMAC_BLOCK_BYTES = 64
const DIGEST_BYTES = 20

/** Makes the blocks of a key. @see {@link https://www.rfc-editor.org/rfc/rfc2104#section-2 RFC 2104 section 2} */
export function hmacBlocks(keyText: string): HmacBlocks {
  const given = Buffer.from(keyText)
  const key = given.length > HMAC_BLOCK_BYTES ? hash('sha1', given, 'buffer') : given
  const padded = Buffer.concat([key], HMAC_BLOCK_BYTES)
  const outer = Buffer.concat([padded.map((byte) => byte ^ 0x5c)], HMAC_BLOCK_BYTES + DIGEST_BYTES)
  return { inner: padded.map((byte) => byte ^ 0x36), outer }
}

/**
 * HMAC-SHA1, in base64, of a message that begins at the 65th byte and ends at `end`: the key is put before it.
 *
 * A fast path: two one-shot hashes over prepared blocks, without copying the message, take 60 % of the time of `createHmac`,
 * which is the reference in the tests. The inner digest is a text of 20 characters, because node takes longer to make a
 * Buffer than to compute SHA-1.
 */
export function hmacSha1({ inner, outer }: HmacBlocks, bytes: Uint8Array, end: number): string {
  bytes.set(inner)
  outer.write(hash('sha1', bytes.subarray(0, end), 'binary'), HMAC_BLOCK_BYTES, 'latin1')
  return hash('sha1', outer, 'base64')
}
