import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { keyPair } from '../rsa-key-pair.ts'

/** A public key with a modulus of exactly that many bits. It belongs to nobody, and imports like any other. */
export function publicPemOfBits(bits: number): string {
  const modulus = Buffer.alloc(Math.ceil(bits / 8), 0xff)
  modulus[0] = 0xff >> ((8 - (bits % 8)) % 8)
  return jwkToPem({ kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' })
}

/** The public key of the pair with another exponent: base64url of its big-endian bytes. */
export function publicPemOfExponent(exponent: string): string {
  return jwkToPem({ ...keyPair.publicKey.export({ format: 'jwk' }), e: exponent })
}

/** The private key of the pair with one byte of its modulus changed, so that it parses but cannot work. */
export function privatePemWithWrongModulus(): string {
  const der = keyPair.privateKey.export({ type: 'pkcs1', format: 'der' })
  // SEQUENCE header (4), version (3), INTEGER header (4), leading zero (1): then the modulus.
  der[12 + 100] = der.readUInt8(12 + 100) ^ 0x40
  return wrap('RSA PRIVATE KEY', der)
}

/** The private key of the pair with an even modulus, which OpenSSL cannot compute with at all. */
export function privatePemWithEvenModulus(): string {
  const der = keyPair.privateKey.export({ type: 'pkcs1', format: 'der' })
  der[12 + 255] = der.readUInt8(12 + 255) & 0xfe
  return wrap('RSA PRIVATE KEY', der)
}

/** PEM texts of sound keys of kinds that RSA-SHA256 does not take. */
export function foreignKeys(): Readonly<Record<'rsaPss' | 'ec' | 'ed25519', { private: string; public: string }>> {
  return {
    rsaPss: pems(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })),
    ec: pems(generateKeyPairSync('ec', { namedCurve: 'prime256v1' })),
    ed25519: pems(generateKeyPairSync('ed25519')),
  }
}

export function wrap(label: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

function jwkToPem(jwk: { [name: string]: unknown }): string {
  return createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
}

function pems(pair: { privateKey: KeyObject; publicKey: KeyObject }): { private: string; public: string } {
  return {
    private: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    public: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}
