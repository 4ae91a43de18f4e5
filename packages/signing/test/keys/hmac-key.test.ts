import { describe, expect, test } from 'vitest'
import { type HmacKey, hmacKey, signOAuth } from '../../src/index.ts'
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
  test('refuses an empty secret when it is made', () => {
    const error = catchSigningError(() => hmacKey(''))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(/secret is empty/)
  })

  test('refuses a secret that is not a text', () => {
    expect(catchSigningError(() => hmacKey(undefined as unknown as string)).code).toBe('BAD_KEY')
  })

  test('refuses a secret without a UTF-8 form', () => {
    expect(catchSigningError(() => hmacKey('\udc00')).code).toBe('BAD_KEY')
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
