import { describe, expect, test } from 'vitest'
import { hmacKey, type RsaPublicKey, rsaPrivateKey, rsaPublicKey } from '../../src/index.ts'
import { rsaPublicKeyMaterial } from '../../src/keys/rsa-public-key.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { keyPair, privatePem, publicPem } from '../rsa-key-pair.ts'
import { rsaPublicKeyPem } from '../vectors.ts'
import { foreignKeys, publicPemOfBits, publicPemOfExponent, wrap } from './damaged-keys.ts'

const foreign = foreignKeys()
const der = keyPair.publicKey.export({ type: 'spki', format: 'der' })

describe('rsaPublicKey', () => {
  test.for([
    ['SPKI', publicPem],
    ['PKCS#1', keyPair.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['the key of the published vectors', rsaPublicKeyPem],
    ['2048 bits', publicPemOfBits(2048)],
    ['2049 bits', publicPemOfBits(2049)],
    ['8192 bits', publicPemOfBits(8192)],
    ['the exponent 3', publicPemOfExponent('Aw')],
  ] as const)('[S5.2-17] imports %s', ([, pem]) => {
    expect(String(rsaPublicKey(pem))).toBe('RsaPublicKey [masked]')
  })

  test('holds the given key as a bare KeyObject, the only form that Workers verify with', () => {
    const { key } = rsaPublicKeyMaterial(rsaPublicKey(publicPem))
    expect(key.equals(keyPair.publicKey)).toBe(true)
  })

  test.for([1024, 2047, 8193, 9000])('[S8-02] refuses a modulus of %i bits', (bits) => {
    const error = catchSigningError(() => rsaPublicKey(publicPemOfBits(bits)))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toBe(`the RSA modulus has ${bits} bits, allowed are 2048 to 8192 bits: make a new key pair`)
  })

  test.for([
    ['1', 'AQ'],
    ['2', 'Ag'],
    ['65536', 'AQAA'],
  ] as const)('refuses the public exponent %s, under which signatures prove nothing', ([, exponent]) => {
    const error = catchSigningError(() => rsaPublicKey(publicPemOfExponent(exponent)))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(/public exponent/)
  })

  test.for([
    ['an RSA-PSS key', foreign.rsaPss.public, /key of type rsa-pss/],
    ['an elliptic-curve key', foreign.ec.public, /key of type ec/],
    ['an Ed25519 key', foreign.ed25519.public, /key of type ed25519/],
    ['a private key', privatePem, /it is a private key/],
    ['a PKCS#1 private key', wrap('RSA PRIVATE KEY', der), /it is a private key/],
    ['an encrypted private key', wrap('ENCRYPTED PRIVATE KEY', der), /it is a private key/],
    ['a certificate', wrap('CERTIFICATE', der), /it is a certificate.*openssl x509/],
    ['garbage between the lines', wrap('PUBLIC KEY', Buffer.from('garbage')), /damaged/],
    ['two keys', publicPem + publicPem, /more than one PEM block/],
    ['a public key followed by a private one', publicPem + privatePem, /more than one PEM block/],
    ['no PEM at all', 'garbage', /not PEM/],
    ['a label of something else', wrap('PKCS7', der), /label is not one of a key/],
  ] as const)('[S5.2-17] refuses %s and says so', ([, pem, message]) => {
    const error = catchSigningError(() => rsaPublicKey(pem))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(message)
  })

  test.for([
    [2048, 256],
    [2049, 257],
    [8192, 1024],
  ] as const)('of %i bits has signatures of %i bytes (RFC 8017 section 8.2.1)', ([bits, bytes]) => {
    expect(rsaPublicKeyMaterial(rsaPublicKey(publicPemOfBits(bits))).signatureBytes).toBe(bytes)
  })

  test.for([
    ['a private key', rsaPrivateKey(privatePem)],
    ['an HMAC key', hmacKey('secret')],
    ['an object with the right prototype', Object.create(Object.getPrototypeOf(rsaPublicKey(publicPem)))],
    ['a node KeyObject', keyPair.publicKey],
    ['a PEM text', publicPem],
    ['nothing', null],
  ] as const)('cannot be replaced by %s where the types are bypassed', ([, fake]) => {
    const error = catchSigningError(() => rsaPublicKeyMaterial(fake as unknown as RsaPublicKey))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toBe('verifying RSA-SHA256 takes a key made by rsaPublicKey()')
  })
})
