import { type CipherKey, createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { RandomFill } from '../runtime/system.ts'

/**
 * AES-256-GCM as the vault stores it: initialisation vector, tag, encrypted bytes. The encrypted bytes are bound to an
 * associated text, which is not stored with them and must be the same for decryption.
 *
 * @see NIST SP 800-38D: with random vectors of 96 bits a key encrypts at most 2^32 times (section 8.3)
 */
const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const TEXT_FROM = IV_BYTES + TAG_BYTES

export interface Sealing {
  readonly key: CipherKey
  /** Different facts must make different texts, hence JSON of a list. It also escapes what has no UTF-8 form. */
  readonly associated: string
}

export function encrypt(plain: Uint8Array, { key, associated }: Sealing, random: RandomFill): Uint8Array {
  const sealed = new Uint8Array(TEXT_FROM + plain.length)
  const iv = sealed.subarray(0, IV_BYTES)
  random(iv)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  cipher.setAAD(Buffer.from(associated, 'utf8'))
  sealed.set(cipher.update(plain), TEXT_FROM)
  cipher.final()
  sealed.set(cipher.getAuthTag(), IV_BYTES)
  return sealed
}

/** The plain bytes, or `undefined` if key, associated text and bytes do not belong together. Wipe them after use. */
export function decrypt(sealed: Uint8Array, { key, associated }: Sealing): Buffer | undefined {
  if (sealed.length < TEXT_FROM) return undefined
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(associated, 'utf8'))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, TEXT_FROM))
  const plain = decipher.update(sealed.subarray(TEXT_FROM))
  try {
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return undefined
  }
}

/** Digests a text under a key: 64 hexadecimal digits. */
export type KeyedDigest = (text: string) => string

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32

/**
 * HMAC-SHA256 under a key of at most 64 bytes, in two one-shot hashes over prepared blocks: half the time of `createHmac`,
 * with which the tests compare it. The copies of the text and of the blocks are wiped; the key itself is not kept.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc2104#section-2 RFC 2104 section 2}
 */
export function keyedDigest(key: Uint8Array): KeyedDigest {
  const padded = new Uint8Array(BLOCK_BYTES)
  padded.set(key)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  padded.fill(0)
  return (text) => {
    const keyed = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(text))
    keyed.set(inner)
    keyed.write(text, BLOCK_BYTES, 'utf8')
    const digest = hash('sha256', keyed, 'binary')
    keyed.fill(0)
    const last = Buffer.allocUnsafe(BLOCK_BYTES + DIGEST_BYTES)
    last.set(outer)
    last.write(digest, BLOCK_BYTES, 'latin1')
    const mac = hash('sha256', last, 'hex')
    last.fill(0)
    return mac
  }
}

/**
 * Why a sealed card or a sealed text does not open:
 *
 * - `UNKNOWN_KEY`: the key file has no wrapping key with the card's key id. Put the key back.
 * - `NOT_AUTHENTIC`: the bytes are not what was sealed, or another key has this id. Restore the bytes or the key.
 */
export type VaultErrorCode = 'UNKNOWN_KEY' | 'NOT_AUTHENTIC'

/** A sealed card or text does not open. The message may name the card and the key; it quotes nothing of either. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: VaultErrorCode

  constructor(code: VaultErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
