import type { KeyObject } from 'node:crypto'
import { SigningError } from '../errors.ts'

/** Stated by the specification: at least 2048 bits. */
const MIN_MODULUS_BITS = 2048
/** Our bound: verifying with an absurdly long key is a way to keep a server busy. */
const MAX_MODULUS_BITS = 8192

/**
 * Lets only a plain RSA key of 2048 to 8192 bits pass, and returns the length of its signatures in bytes.
 *
 * @throws {SigningError} `BAD_KEY` for RSA-PSS, elliptic curves and every other kind, for a modulus outside the bounds,
 *   and for a public exponent that is even or 1 (under which anyone can make signatures).
 * @see Specification parts 5.2 and 8 (at least 2048 bits)
 */
export function requireRsa(key: KeyObject): number {
  if (key.asymmetricKeyType !== 'rsa') {
    const kind = String(key.asymmetricKeyType)
    throw new SigningError('BAD_KEY', `this is a key of type ${kind}; RSA-SHA256 takes a plain RSA key (type rsa)`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits === undefined || bits < MIN_MODULUS_BITS || bits > MAX_MODULUS_BITS) {
    const range = `${MIN_MODULUS_BITS} to ${MAX_MODULUS_BITS} bits`
    throw new SigningError('BAD_KEY', `the RSA modulus has ${bits} bits, allowed are ${range}: make a new key pair`)
  }
  const exponent = key.asymmetricKeyDetails?.publicExponent
  if (exponent === undefined || exponent < 3n || exponent % 2n === 0n) {
    throw new SigningError('BAD_KEY', 'the public exponent of the RSA key is unsafe: make a new key pair')
  }
  return Math.ceil(bits / 8)
}
