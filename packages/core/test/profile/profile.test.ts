import { catalogue, defineProfile, type Model, type Profile } from '@tallystick/core'
import { oauthMethodOf } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

const BASE_URL = 'https://gate.example.com/paynet'

describe('defineProfile', () => {
  test('[G12-05] [G12-01] [G13-06] has the defaults of the specification', () => {
    expect(defineProfile({ baseUrl: BASE_URL })).toEqual({
      name: 'specification',
      baseUrl: 'https://gate.example.com/paynet',
      payoutFormPath: '/api/v2/payout-form',
      payoutFormMethod: 'HMAC-SHA1',
      oauthInBody: true,
      rebillPath: '/api/v2/make-rebill',
      wireNames: {},
      exponents: 'always-2',
      threeDsMethodWaitSeconds: 10,
      replyFormat: 'json',
      recurringExtensions: false,
      recurringLogin: false,
    })
  })

  test('[G12-05] payout-form under v4 is signed by RSA, unless the brand says otherwise', () => {
    const brand = { baseUrl: BASE_URL, payoutFormPath: '/api/v4/payout-form' } as const
    expect(defineProfile(brand).payoutFormMethod).toBe('RSA-SHA256')
    expect(defineProfile({ ...brand, payoutFormMethod: 'HMAC-SHA1' }).payoutFormMethod).toBe('HMAC-SHA1')
  })

  test('accepts what differs at the brand', () => {
    const brand = { baseUrl: BASE_URL, name: 'brand', exponents: 'iso-4217', threeDsMethodWaitSeconds: 30 } as const
    expect(defineProfile(brand)).toMatchObject(brand)
  })

  test('an option that is undefined does not replace its default', () => {
    const brand = { baseUrl: BASE_URL, oauthInBody: undefined, replyFormat: undefined } as unknown as Profile
    expect(defineProfile(brand)).toEqual(defineProfile({ baseUrl: BASE_URL }))
  })

  test.each([
    ['https://gate.example.com/paynet/', 'https://gate.example.com/paynet'],
    ['https://gate.example.com//', 'https://gate.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['HTTPS://gate.example.com/checkout', 'HTTPS://gate.example.com/checkout'],
    ['http://[::1]:8080/payment', 'http://[::1]:8080/payment'],
  ])('[G1-01] the base URL %s is kept with its prefix, without a slash at the end', (baseUrl, expected) => {
    expect(defineProfile({ baseUrl }).baseUrl).toBe(expected)
  })

  test.each([
    '',
    'gate.example.com/paynet',
    '/paynet',
    'ftp://gate.example.com',
    'https://',
    'https:///paynet',
    'https://user:password@gate.example.com',
    'https://gate.example.com/?a=1',
    'https://gate.example.com/#top',
    'https://gate.example.com/a b',
  ])('[G1-01] refuses the base URL %j and says what it must be', (baseUrl) => {
    expect(() => defineProfile({ baseUrl })).toThrow(TypeError)
    expect(() => defineProfile({ baseUrl })).toThrow('baseUrl must be an http or https address')
  })
})

describe('a slip in a profile', () => {
  test.each<readonly [string, unknown, string]>([
    ['an option', { exponent: 'iso-4217' }, 'profile: there is no option exponent; did you mean exponents?'],
    ['exponents', { exponents: 'iso4217' }, "profile: exponents must be 'always-2' or 'iso-4217'"],
    ['a method', { payoutFormMethod: 'RSA-SHA1' }, "payoutFormMethod must be 'HMAC-SHA1' or 'RSA-SHA256'"],
    ['a flag', { oauthInBody: 'false' }, 'profile: oauthInBody must be true or false'],
    ['the path of a form', { payoutFormPath: '/payout-form' }, "payoutFormPath must be '/api/v2/payout-form' or "],
    ['a path', { rebillPath: '/make-rebill' }, "profile: rebillPath must be '/api/v2/make-rebill' or "],
    ['a format', { replyFormat: 'JSON' }, "profile: replyFormat must be 'json' or 'classic'"],
    ['a wait', { threeDsMethodWaitSeconds: '30' }, 'threeDsMethodWaitSeconds must be a number of seconds'],
    ['a wait that no timer can keep', { threeDsMethodWaitSeconds: Number.POSITIVE_INFINITY }, '24 days at most'],
    ['a wait of 25 days', { threeDsMethodWaitSeconds: 25 * 86_400 }, '24 days at most'],
    ['a wait that is none', { threeDsMethodWaitSeconds: Number.NaN }, 'threeDsMethodWaitSeconds must be a number'],
    ['a name', { name: 7 }, 'profile: name must be a text'],
    ['wire names', { wireNames: [] }, 'profile: wireNames must be an object'],
    [
      'a model',
      { wireNames: { SaleRequst: { orderDesc: 'desc' } } },
      'profile: wireNames: there is no option SaleRequst; did you mean SaleRequest?',
    ],
    [
      'a field',
      { wireNames: { StatusResponse: { creqFromCreq: 'creq' } } },
      'profile: wireNames: StatusResponse: there is no option creqFromCreq; did you mean creqFormCreq?',
    ],
    [
      'a field by its wire name',
      { wireNames: { SaleRequest: { order_desc: 'desc' } } },
      'profile: wireNames: SaleRequest: there is no option order_desc; did you mean orderDesc?',
    ],
    [
      'an empty wire name',
      { wireNames: { ValidationErrorResponse: { errorCode: '' } } },
      'profile: wireNames: ValidationErrorResponse: errorCode must be the name on the wire',
    ],
    ['the names of a model', { wireNames: { SaleRequest: 'x' } }, 'SaleRequest: the options must be an object'],
  ])('in %s is reported, not left at the default', (_name, brand, message) => {
    const define = () => defineProfile({ baseUrl: BASE_URL, ...(brand as Partial<Profile>) })
    expect(define).toThrow(TypeError)
    expect(define).toThrow(message)
  })

  test('none is found in the names of every request and reply', () => {
    const models = Object.values(catalogue).flatMap(({ request, reply }): readonly Model[] => [request, reply])
    const wireNames = Object.fromEntries(
      models.map(({ name, fields }) => [name, Object.fromEntries(Object.keys(fields).map((field) => [field, field]))]),
    )
    expect(defineProfile({ baseUrl: BASE_URL, wireNames }).wireNames).toEqual(wireNames)
  })
})

describe('oauthMethodOf', () => {
  test('[G12-05] payout-form is signed as the profile says, every other operation as its row says', () => {
    const specified = defineProfile({ baseUrl: BASE_URL })
    const rsa = defineProfile({ baseUrl: BASE_URL, payoutFormMethod: 'RSA-SHA256' })
    expect(oauthMethodOf(catalogue.payoutForm.auth, specified)).toBe('HMAC-SHA1')
    expect(oauthMethodOf(catalogue.payoutForm.auth, rsa)).toBe('RSA-SHA256')
    expect(oauthMethodOf(catalogue.payout.auth, rsa)).toBe('HMAC-SHA1')
    expect(oauthMethodOf(catalogue.transfer.auth, specified)).toBe('RSA-SHA256')
  })
})
