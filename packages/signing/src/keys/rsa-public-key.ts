import { createPublicKey, type KeyObject } from 'node:crypto'
import { SigningError } from '../errors.ts'
import { MaskedKey } from './masked-key.ts'
import { requirePem, requireRsa } from './pem.ts'

/** What verification needs of a public key. */
type Material = {
  readonly key: KeyObject
  readonly signatureBytes: number
}

let create: (material: Material) => RsaPublicKey
let isRsaPublicKey: (value: unknown) => value is RsaPublicKey
let material: (key: RsaPublicKey) => Material

/** A merchant's key for verifying RSA-SHA256, imported once by {@link rsaPublicKey}. It verifies and cannot sign. */
export class RsaPublicKey extends MaskedKey {
  readonly #material: Material

  private constructor(key: Material) {
    super('RsaPublicKey')
    this.#material = key
  }

  static {
    create = (key) => new RsaPublicKey(key)
    isRsaPublicKey = (value): value is RsaPublicKey => typeof value === 'object' && value !== null && #material in value
    material = (key) => key.#material
  }
}

/**
 * Imports the public key that a merchant supplied in advance, from PEM: SPKI (`BEGIN PUBLIC KEY`) or PKCS#1
 * (`BEGIN RSA PUBLIC KEY`), 2048 to 8192 bits. Do it once per merchant, not once per request.
 *
 * @throws {SigningError} `BAD_KEY` for anything else (a private key, a certificate, a damaged key, RSA-PSS, elliptic
 *   curves, a modulus out of bounds); the message says which it is and what to do.
 * @see Specification part 5.2, item RSA-SHA256; the upper bound is ours
 */
export function rsaPublicKey(pem: string): RsaPublicKey {
  const key = importPublicKey(requirePem(pem, 'public'))
  return create({ key, signatureBytes: requireRsa(key) })
}

/**
 * The node key behind an {@link RsaPublicKey} with the length of its signatures, for this package's own use.
 *
 * @throws {SigningError} `BAD_KEY` when the value is any other kind of key: the types were bypassed.
 */
export function rsaPublicKeyMaterial(key: RsaPublicKey): Material {
  if (!isRsaPublicKey(key)) {
    throw new SigningError('BAD_KEY', 'verifying RSA-SHA256 takes a key made by rsaPublicKey()')
  }
  return material(key)
}

function importPublicKey(pem: string): KeyObject {
  try {
    return createPublicKey({ key: pem, format: 'pem' })
  } catch {
    throw new SigningError('BAD_KEY', 'the PEM text of the RSA public key is damaged: copy the whole file again')
  }
}
