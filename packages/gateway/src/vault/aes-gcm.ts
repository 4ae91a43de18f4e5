import { type CipherKey, createCipheriv, createDecipheriv } from 'node:crypto'
import type { FillRandomly } from '../runtime/random-source.ts'

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

export function encrypt(plain: Uint8Array, { key, associated }: Sealing, random: FillRandomly): Uint8Array {
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
