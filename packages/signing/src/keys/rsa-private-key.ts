import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { SigningError } from '../errors.ts'
import { type NameOrders, noOrders } from '../oauth/name-order.ts'
import { MaskedKey } from './masked-key.ts'
import { requirePem, requireRsa } from './pem.ts'

/** What signing needs of a private key, and what it has signed last. */
type Material = { readonly key: KeyObject; readonly orders: NameOrders }

let create: (material: Material) => RsaPrivateKey
let isRsaPrivateKey: (value: unknown) => value is RsaPrivateKey
let material: (key: RsaPrivateKey) => Material

/** The merchant's key for RSA-SHA256, imported once by {@link rsaPrivateKey}. It signs and cannot verify. */
export class RsaPrivateKey extends MaskedKey {
  readonly #material: Material

  private constructor(key: Material) {
    super('RsaPrivateKey')
    this.#material = key
  }

  static {
    create = (key) => new RsaPrivateKey(key)
    isRsaPrivateKey = (value): value is RsaPrivateKey =>
      typeof value === 'object' && value !== null && #material in value
    material = (key) => key.#material
  }
}

/**
 * Imports the merchant's private key from PEM: PKCS#8 (`BEGIN PRIVATE KEY`) or PKCS#1 (`BEGIN RSA PRIVATE KEY`),
 * unencrypted, 2048 to 8192 bits. What a setting does to line breaks does no harm. Do it once, at start: a PEM text on every call costs more than twice the time. Use
 * separate keys for test and production.
 *
 * @throws {SigningError} `BAD_KEY` for anything else (a public key, a certificate, an encrypted or damaged key, RSA-PSS,
 *   elliptic curves, a short modulus); the message says which it is and what to do.
 * @see Specification part 5.2, item RSA-SHA256
 */
export function rsaPrivateKey(pem: string): RsaPrivateKey {
  const key = importPrivateKey(requirePem(pem, 'private'))
  requireRsa(key)
  requireWorking(key)
  return create({ key, orders: noOrders() })
}

/**
 * What is behind an {@link RsaPrivateKey}, for this package's own use.
 *
 * @throws {SigningError} `BAD_KEY` when the value is any other kind of key: the types were bypassed.
 */
export function rsaPrivateKeyMaterial(key: RsaPrivateKey): Material {
  if (!isRsaPrivateKey(key)) {
    throw new SigningError('BAD_KEY', 'signing with RSA-SHA256 takes a key made by rsaPrivateKey()')
  }
  return material(key)
}

function importPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    // The cause stays behind on purpose: nothing of what OpenSSL saw belongs into a log.
    throw damaged()
  }
}

/** A flipped bit inside the numbers still parses; one signature at start shows it, before the first payment does. */
function requireWorking(key: KeyObject): void {
  const probe = Buffer.from('tallystick')
  try {
    if (verify('sha256', probe, createPublicKey(key), sign('sha256', probe, key))) return
  } catch {
    // OpenSSL refuses some damaged numbers outright: the same verdict.
  }
  throw damaged()
}

function damaged(): SigningError {
  return new SigningError('BAD_KEY', 'the PEM text of the RSA private key is damaged: copy the whole file again')
}
