import * as node from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as browser from '../src/node-crypto.ts'

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const
const SIGNED = ['sha1', 'sha256', 'sha384', 'sha512'] as const
const PAIRS = [2048, 3072].map((modulusLength) => node.generateKeyPairSync('rsa', { modulusLength }))

describe('the hashes of the playground are those of node:crypto', () => {
  test.each(HASHES)('%s, and its HMAC, of any text', (name) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ minLength: 1, maxLength: 200 }),
        (text, key) => {
          const data = Buffer.from(text)
          for (const encoding of ['hex', 'base64', 'binary'] as const)
            expect(browser.hash(name, data, encoding)).toBe(node.hash(name, data, encoding))
          expect(browser.createHmac(name, key).update(text).digest().toString('hex')).toBe(
            node.createHmac(name, key).update(text).digest('hex'),
          )
        },
      ),
    )
  })

  test('texts are compared by their bytes', () => {
    expect(browser.timingSafeEqual(Buffer.from('abc'), Buffer.from('abc'))).toBe(true)
    expect(browser.timingSafeEqual(Buffer.from('abc'), Buffer.from('abd'))).toBe(false)
    expect(() => browser.timingSafeEqual(Buffer.from('abc'), Buffer.from('ab'))).toThrow(RangeError)
  })
})

describe.each(PAIRS)('RSA of the playground is that of node:crypto', ({ privateKey, publicKey }) => {
  const pems = {
    pkcs8: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    pkcs1: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    spki: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicPkcs1: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  }
  const data = Buffer.from('POST&https%3A%2F%2Fgate.example.com&a%3D1')

  test.each(SIGNED)('a signature by %s is the same, and verified', (name) => {
    const expected = node.sign(name, data, privateKey)
    for (const pem of [pems.pkcs8, pems.pkcs1]) {
      const signature = browser.sign(name, data, browser.createPrivateKey(pem))
      expect(signature.toString('hex')).toBe(expected.toString('hex'))
    }
    for (const pem of [pems.spki, pems.publicPkcs1, pems.pkcs8]) {
      const key = browser.createPublicKey(pem)
      expect(browser.verify(name, data, key, expected)).toBe(true)
      expect(browser.verify(name, Buffer.from('other'), key, expected)).toBe(false)
      expect(browser.verify(name, data, key, expected.subarray(1))).toBe(false)
    }
  })

  test('a signature with any byte changed is refused', () => {
    const signature = node.sign('sha256', data, privateKey)
    const key = browser.createPublicKey(pems.spki)
    fc.assert(
      fc.property(fc.nat(signature.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(signature)
        changed[at] = (changed[at] ?? 0) ^ change
        expect(browser.verify('sha256', data, key, changed)).toBe(node.verify('sha256', data, publicKey, changed))
      }),
      { numRuns: 50 },
    )
  })

  test('a key tells its kind, its length, its exponent, and its other half', () => {
    const key = browser.createPrivateKey(pems.pkcs8)
    expect(key.asymmetricKeyDetails).toEqual(privateKey.asymmetricKeyDetails)
    expect([key.type, browser.createPublicKey(key).type]).toEqual(['private', 'public'])
    expect(browser.createPublicKey(key).equals(browser.createPublicKey(pems.spki))).toBe(true)
    expect(() => browser.createPrivateKey(pems.spki)).toThrow('public')
  })

  test.each(['pkcs8', 'pkcs1'] as const)('a private key is read from DER in the form %s', (type) => {
    const key = privateKey.export({ type, format: 'der' })
    expect(browser.createPrivateKey({ key, format: 'der', type }).asymmetricKeyDetails).toEqual(
      privateKey.asymmetricKeyDetails,
    )
  })

  test('what is cut is refused, wherever', () => {
    const der = publicKey.export({ type: 'spki', format: 'der' })
    for (let length = 0; length < der.length; length++) {
      expect(() => browser.createPublicKey({ key: der.subarray(0, length), format: 'der', type: 'spki' })).toThrow(
        'damaged',
      )
    }
  })
})

test('a key of an elliptic curve is refused', () => {
  const { privateKey, publicKey } = node.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(() => browser.createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString())).toThrow('RSA')
  expect(() => browser.createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow('RSA')
})
