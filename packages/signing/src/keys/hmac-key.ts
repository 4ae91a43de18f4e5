import { SigningError } from '../errors.ts'
import { percentEncode } from '../oauth/percent-encode.ts'
import { noMemory, type SigningMemory } from '../oauth/signing-memory.ts'
import { type HmacBlocks, hmacBlocks } from './hmac-blocks.ts'
import { MaskedKey } from './masked-key.ts'
import { refusePrinted } from './printed-secret.ts'

/** The blocks of the key, and what it remembers of the requests that it has signed. */
type Material = SigningMemory & { readonly blocks: HmacBlocks }

let create: (material: Material) => HmacKey
let isHmacKey: (value: unknown) => value is HmacKey
let material: (key: HmacKey) => Material

/**
 * The shared secret of HMAC-SHA1, imported once by {@link hmacKey}. It signs and it verifies, and no type allows it
 * where an RSA key belongs.
 */
export class HmacKey extends MaskedKey {
  readonly #material: Material

  private constructor(key: Material) {
    super('HmacKey')
    this.#material = key
  }

  static {
    create = (key) => new HmacKey(key)
    isHmacKey = (value): value is HmacKey => typeof value === 'object' && value !== null && #material in value
    material = (key) => key.#material
  }
}

/**
 * Imports the merchant control key for HMAC-SHA1. Do it once, at start, and keep the object.
 *
 * The text of the key is the percent-encoded secret, then `&`, then the token secret, which is empty in the two-legged
 * form. Give the secret alone, without the `&`.
 *
 * @throws {SigningError} `BAD_KEY` when the secret is empty, not a text, or has no UTF-8 form: check the configuration.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.2 RFC 5849 section 3.4.2}; specification part 5.2
 */
export function hmacKey(secret: string): HmacKey {
  if (typeof secret !== 'string' || secret === '') {
    throw new SigningError('BAD_KEY', 'the HMAC secret is empty or not a text: configure the merchant control key')
  }
  refusePrinted(secret)
  if (!secret.isWellFormed()) {
    throw new SigningError('BAD_KEY', 'the HMAC secret holds a lone surrogate, which has no UTF-8 form')
  }
  return create({ blocks: hmacBlocks(`${percentEncode(secret)}&`), ...noMemory() })
}

/**
 * What is behind an {@link HmacKey}, for this package's own use.
 *
 * @throws {SigningError} `BAD_KEY` when the value is any other kind of key: the types were bypassed.
 */
export function hmacKeyMaterial(key: HmacKey): Material {
  if (!isHmacKey(key)) throw new SigningError('BAD_KEY', 'HMAC-SHA1 takes a key made by hmacKey()')
  return material(key)
}
