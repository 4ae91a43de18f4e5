import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hmacKey, type RsaPrivateKey, rsaPrivateKey, rsaPublicKey, signOAuth } from '../../src/index.ts'
import { rsaPrivateKeyMaterial } from '../../src/keys/rsa-private-key.ts'
import { rsaPublicKeyMaterial } from '../../src/keys/rsa-public-key.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { keyPair, privatePem, publicPem } from '../rsa-key-pair.ts'
import { foreignKeys, privatePemWithEvenModulus, privatePemWithWrongModulus, wrap } from './damaged-keys.ts'

const foreign = foreignKeys()
const der = keyPair.privateKey.export({ type: 'pkcs8', format: 'der' })
const pkcs1 = keyPair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const encryption = { cipher: 'aes-256-cbc', passphrase: 'passphrase' } as const

const request = {
  httpMethod: 'POST',
  url: 'https://gate.example.com/paynet/api/v4/transfer/1',
  parameters: [],
  consumerKey: 'merchantlogin',
  nonce: 'y3qlvMPky7g',
  timestamp: 1_669_966_913,
} as const

describe('rsaPrivateKey', () => {
  test.for([
    ['PKCS#8', privatePem],
    ['PKCS#1', pkcs1],
    ['PKCS#8 with CRLF line ends', privatePem.replaceAll('\n', '\r\n')],
    ['PKCS#8 with explanatory text before it', `Bag Attributes\n    friendlyName: test\n${privatePem}`],
  ] as const)('[S5.2-16] imports %s', ([, pem]) => {
    expect(String(rsaPrivateKey(pem))).toBe('RsaPrivateKey [masked]')
  })

  test('holds the given key as a bare KeyObject, the only form that Workers sign with', () => {
    const { key } = rsaPrivateKeyMaterial(rsaPrivateKey(pkcs1))
    expect(key.equals(keyPair.privateKey)).toBe(true)
  })

  test('[S5.2-16] [S8-02] refuses a modulus of 1024 bits', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    const error = catchSigningError(() => rsaPrivateKey(short.export({ type: 'pkcs8', format: 'pem' }).toString()))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toBe('the RSA modulus has 1024 bits, allowed are 2048 to 8192 bits: make a new key pair')
  })

  test.for([
    ['an RSA-PSS key', foreign.rsaPss.private, /key of type rsa-pss/],
    ['an elliptic-curve key', foreign.ec.private, /key of type ec/],
    ['an Ed25519 key', foreign.ed25519.private, /key of type ed25519/],
    ['a SEC1 elliptic-curve key', wrap('EC PRIVATE KEY', der), /not an RSA key/],
    ['elliptic-curve parameters', `${wrap('EC PARAMETERS', der)}${wrap('EC PRIVATE KEY', der)}`, /not an RSA key/],
    ['a DSA key', wrap('DSA PRIVATE KEY', der), /not an RSA key/],
    ['a public key', publicPem, /it is a public key/],
    ['a PKCS#1 public key', wrap('RSA PUBLIC KEY', der), /it is a public key/],
    ['a certificate', wrap('CERTIFICATE', der), /it is a certificate/],
    ['an OpenSSH key', wrap('OPENSSH PRIVATE KEY', der), /OpenSSH format/],
    ['a label of something else', wrap('PKCS7', der), /label is not one of a key/],
    ['garbage between the lines', wrap('PRIVATE KEY', Buffer.from('garbage')), /damaged/],
    ['a block without an end', privatePem.slice(0, 200), /last line is missing/],
    ['two keys', privatePem + privatePem, /more than one PEM block/],
    ['an empty text', '', /it is empty/],
    ['no PEM at all', 'hunter2', /not PEM/],
    ['base64 of something else', Buffer.from('something else, not a key').toString('base64'), /not PEM/],
    ['a modulus with a flipped bit', privatePemWithWrongModulus(), /damaged/],
    ['an even modulus', privatePemWithEvenModulus(), /damaged/],
  ] as const)('[S5.2-16] refuses %s and says so', ([, pem, message]) => {
    const error = catchSigningError(() => rsaPrivateKey(pem))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(message)
  })

  test.for([
    ['PKCS#8', keyPair.privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString()],
    ['PKCS#1', keyPair.privateKey.export({ type: 'pkcs1', format: 'pem', ...encryption }).toString()],
  ] as const)('refuses an encrypted %s key and says how to decrypt it', ([, pem]) => {
    const error = catchSigningError(() => rsaPrivateKey(pem))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(/it is encrypted.*openssl pkey/)
  })

  test.for([
    ['line breaks that became spaces', (pem: string) => pem.replaceAll('\n', ' ')],
    ['no line breaks', (pem: string) => pem.replaceAll('\n', '')],
    ['indented lines', (pem: string) => pem.replaceAll(/^/gm, '    ')],
    [
      'line breaks of Windows, indented, behind a byte order mark',
      (pem: string) => `\uFEFF${pem.replaceAll('\n', '\r\n\t')}`,
    ],
    ['quotes', (pem: string) => `"${pem}"`],
    ['single quotes and a blank line', (pem: string) => `'\n${pem}'\n`],
    ['line breaks that arrived as two characters', (pem: string) => pem.replaceAll('\n', '\\n')],
    ['JSON inside of JSON', (pem: string) => JSON.stringify(JSON.stringify(pem.replaceAll('\n', '\r\n')))],
    ['lines continued by a backslash', (pem: string) => pem.replaceAll('\n', '\\\n')],
    ['base64 of the file', (pem: string) => btoa(pem)],
    ['base64 of the file in lines', (pem: string) => btoa(pem).replaceAll(/.{76}/g, '$&\n')],
    ['no first and last line', (pem: string) => pem.split('\n').slice(1, -2).join('\n')],
  ] as const)('[F-C6] a key with %s is read as the same key, private or public, in each format', ([, change]) => {
    for (const pem of [privatePem, pkcs1]) {
      expect(rsaPrivateKeyMaterial(rsaPrivateKey(change(pem))).key.equals(keyPair.privateKey)).toBe(true)
      expect(() => rsaPublicKey(change(pem))).toThrow(/it is a private key, and verifying needs only its public half/)
    }
    for (const pem of [publicPem, keyPair.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()]) {
      expect(rsaPublicKeyMaterial(rsaPublicKey(change(pem))).key.equals(keyPair.publicKey)).toBe(true)
      expect(() => rsaPrivateKey(change(pem))).toThrow(/it is a public key, and signing needs the private one/)
    }
  })

  test('refuses a PEM that is not a text', () => {
    const error = catchSigningError(() => rsaPrivateKey(Buffer.from(privatePem) as unknown as string))
    expect(error.message).toMatch(/it is not a text/)
  })

  test.for([
    ['a public key', rsaPublicKey(publicPem)],
    ['an HMAC key', hmacKey('secret')],
    ['a node KeyObject', keyPair.privateKey],
    ['a PEM text', privatePem],
    ['nothing', null],
  ] as const)('cannot be replaced by %s where the types are bypassed', ([, fake]) => {
    const key = fake as unknown as RsaPrivateKey
    const error = catchSigningError(() => signOAuth({ ...request, method: 'RSA-SHA256', key }))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toBe('signing with RSA-SHA256 takes a key made by rsaPrivateKey()')
  })
})
