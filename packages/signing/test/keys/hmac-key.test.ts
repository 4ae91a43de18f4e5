import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HmacKey, hmacKey, signControl, signOAuth } from '../../src/index.ts'
import { hmacBlocks, hmacKeyMaterial, hmacSha1 } from '../../src/keys/hmac-key.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const request = {
  httpMethod: 'POST',
  url: 'https://gate.example.com/paynet/api/v2/payout/1',
  parameters: [],
  consumerKey: 'merchantlogin',
  nonce: 'y3qlvMPky7g',
  timestamp: 1_669_966_913,
} as const

describe('hmacKey', () => {
  test('[S5.2-12] keys HMAC-SHA1 with the percent-encoded secret and an &', () => {
    const { blocks } = hmacKeyMaterial(hmacKey('a+é'))
    expect(hmacSha1(blocks, 'text')).toBe(createHmac('sha1', 'a%2B%C3%A9&').update('text').digest('base64'))
  })

  test('refuses an empty secret when it is made', () => {
    const error = catchSigningError(() => hmacKey(''))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(/secret is empty/)
  })

  test('[F-C14] refuses what a secret prints, as the key of either signature', () => {
    for (const make of [() => hmacKey('[secret]'), () => signControl({ terms: ['1'], key: '[secret]' })]) {
      const error = catchSigningError(make)
      expect(error.code).toBe('BAD_KEY')
      expect(error.message).toMatch(/which a Secret prints: take the text that its reveal\(\) returns/)
    }
  })

  test.each([
    ['"[secret]"', 'take the text that its reveal() returns'],
    [String(hmacKey('a key')), 'take the text that it was made of'],
    ["'RsaPrivateKey [masked]'", 'take the text that it was made of'],
    ['undefined', 'check that its setting is present'],
    ['null', 'check that its setting is present'],
    ['[object Object]', 'check that its setting is present'],
  ])('[F-C14] refuses %s, which no key is, as the key of either signature', (key, remedy) => {
    for (const make of [() => hmacKey(key), () => signControl({ terms: ['1'], key })]) {
      expect(catchSigningError(make)).toMatchObject({ code: 'BAD_KEY', message: expect.stringContaining(remedy) })
    }
  })

  test('refuses a secret that is not a text', () => {
    expect(catchSigningError(() => hmacKey(undefined as unknown as string)).code).toBe('BAD_KEY')
  })

  test('refuses a secret without a UTF-8 form', () => {
    const error = catchSigningError(() => hmacKey('\udc00'))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(/lone surrogate/)
  })

  test.for([
    ['null', null],
    ['a text', 'secret'],
    ['a plain object', {}],
    ['an object with the right prototype', Object.create(Object.getPrototypeOf(hmacKey('secret')))],
  ] as const)('cannot be replaced by %s where the types are bypassed', ([, fake]) => {
    const error = catchSigningError(() => signOAuth({ ...request, method: 'HMAC-SHA1', key: fake as HmacKey }))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toBe('HMAC-SHA1 takes a key made by hmacKey()')
  })
})

const macOf = (key: string, text: string) => hmacSha1(hmacBlocks(key), text)

describe('hmacSha1', () => {
  /** RFC 2202 section 3, test case 2. */
  test.for([['Jefe', 'what do ya want for nothing?', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79']] as const)(
    'gives the published result for the key %s',
    ([key, text, published]) => {
      expect(Buffer.from(macOf(key, text), 'base64').toString('hex')).toBe(published)
    },
  )

  test.for([63, 64, 65])('is what createHmac computes for a key of %i bytes, with blocks of 64', (length) => {
    const key = 'k'.repeat(length)
    expect(macOf(key, 'text')).toBe(createHmac('sha1', key).update('text').digest('base64'))
  })

  test('is what createHmac computes for keys of ASCII shorter and longer than a block', () => {
    const ascii = (maxLength: number) => fc.string({ unit: 'binary-ascii', maxLength })
    fc.assert(
      fc.property(fc.oneof(ascii(5), ascii(130)), ascii(300), (key, text) => {
        expect(macOf(key, text)).toBe(createHmac('sha1', key).update(text).digest('base64'))
      }),
    )
  })
})
