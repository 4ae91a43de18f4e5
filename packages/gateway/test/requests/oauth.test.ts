import { createHmac } from 'node:crypto'
import { defineProfile } from '@tallystick/core'
import { describe, expect, test, vi } from 'vitest'
import { readRequest } from '../../src/http/request.ts'
import type { GatewayRequest } from '../../src/index.ts'
import { readMerchants } from '../../src/merchants/merchants.ts'
import { verifyRequest } from '../../src/requests/verify.ts'
import {
  BASE_URL,
  fieldsOf,
  form,
  merchants,
  NOW,
  oauthSigned,
  RIVAL,
  rsaKeys,
  SHOP,
} from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

const shop = rsaKeys()
const AT = '/api/v2/payout/1111'
const PAYOUT = {
  client_orderid: 'out-1',
  amount: '10.42',
  currency: 'EUR',
  account_number: '1',
  bank_name: "O'Neil & (Co)*!",
}
const HMAC = { method: 'HMAC-SHA1', key: SHOP.controlKey }
const RSA = { method: 'RSA-SHA256', key: shop.privateKey }

/** RFC 5849 section 3.6. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

function withKeys() {
  const { gateway, ...rest } = testGateway({ merchants: merchants({ shop: shop.publicKey }) })
  /** `verified` if a request passes signature and validation. Its order is judged after these. */
  const outcome = async (request: GatewayRequest) => {
    const reply = await gateway.handle(request)
    return reply.status === 200 || fieldsOf(reply)['error-code'] === '3' ? 'verified' : reply.status
  }
  return { gateway, outcome, ...rest }
}

/** The request with its Authorization header changed. */
function reworded(request: GatewayRequest, change: (header: string) => string): GatewayRequest {
  return {
    ...request,
    headers: { ...request.headers, authorization: change(String(request.headers['authorization'])) },
  }
}

describe('header and body', () => {
  test('[S5.2-09] [S5.2-10] [G12-12] the oauth_* values may stand in the header alone, or equal in both', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, nonce: 'a', inBody: true }))).toBe('verified')
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, nonce: 'b', inBody: false }))).toBe('verified')
  })

  test.for([
    ['[S5.2-09]', 'oauth_consumer_key', 'rival'],
    ['[S5.2-09]', 'oauth_nonce', 'z'],
    ['[S5.2-09]', 'oauth_signature_method', 'RSA-SHA256'],
    ['[S5.2-09]', 'oauth_timestamp', String(NOW + 1)],
    ['[S5.2-09] [S5.2-08]', 'oauth_version', '1.1'],
    ['[S5.2-10]', 'oauth_signature', 'aGVsbG8='],
    ['[S5.2-01]', 'oauth_token', ''],
  ] as const)('%s a body with %s of "%s" is refused', async ([, name, value]) => {
    const { outcome } = withKeys()
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, inBody: false })
    expect(await outcome({ ...request, body: `${request.body}&${form({ [name]: value })}` })).toBe(403)
  })

  test('a body that repeats an oauth_* value is refused', async () => {
    const { outcome } = withKeys()
    const request = oauthSigned(AT, PAYOUT, HMAC)
    expect(await outcome({ ...request, body: `${request.body}&oauth_version=1.0` })).toBe(403)
  })

  test('[S5.2-02] [S5.2-03] the header may have a realm, no space after its commas and its scheme in any case', async () => {
    const { outcome } = withKeys()
    const request = (nonce: string) => oauthSigned(AT, PAYOUT, { ...HMAC, nonce })
    expect(await outcome(reworded(request('a'), (header) => header.replaceAll(', ', ',')))).toBe('verified')
    expect(await outcome(reworded(request('b'), (header) => header.replace('OAuth ', 'OAuth realm="",')))).toBe(
      'verified',
    )
    expect(await outcome(reworded(request('c'), (header) => header.replace('OAuth', 'oauth')))).toBe('verified')
  })

  test('[F-C10] an empty oauth_token is as good as none, if it is signed as it is sent', async () => {
    const { outcome } = withKeys()
    const pairs = { oauth_consumer_key: 'shop', oauth_nonce: 'n', oauth_signature_method: 'HMAC-SHA1' }
    const oauth = { ...pairs, oauth_timestamp: String(NOW), oauth_token: '', oauth_version: '1.0' }
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, inBody: false })
    const signed = Object.entries({ ...PAYOUT, ...oauth })
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&')
    const text = `POST&${encoded(BASE_URL + AT)}&${encoded(signed)}`
    const signature = createHmac('sha1', `${HMAC.key}&`).update(text).digest('base64')
    const header = Object.entries({ ...oauth, oauth_signature: signature })
      .map(([name, value]) => `${name}="${encoded(value)}"`)
      .join(', ')
    expect(await outcome({ ...request, headers: { ...request.headers, authorization: `OAuth ${header}` } })).toBe(
      'verified',
    )
  })

  test.for<readonly [string, (header: string) => string | readonly string[]]>([
    ['another scheme', (header) => header.replace('OAuth', 'Bearer')],
    ['no parameter', () => 'OAuth'],
    ['a parameter twice', (header) => `${header}, oauth_version="1.0"`],
    ['a token', (header) => `${header}, oauth_token="x"`],
    ['a parameter of its own', (header) => `${header}, shop="1"`],
    ['no signature', (header) => header.replace(/, oauth_signature="[^"]*"/, '')],
    ['a signature that is no base64', (header) => header.replace(/(oauth_signature=")[^"]*/, '$1x')],
    ['a version of 2.0', (header) => header.replace('oauth_version="1.0"', 'oauth_version="2.0"')],
    ['more than 8 KiB', (header) => header.replace('OAuth ', `OAuth realm="${'r'.repeat(8192)}", `)],
    ['a header that comes twice', (header) => [header, header]],
  ])('[S5.2-05] %s is refused', async ([, change]) => {
    const { outcome } = withKeys()
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, inBody: false })
    const authorization = change(String(request.headers['authorization']))
    expect(await outcome({ ...request, headers: { ...request.headers, authorization } })).toBe(403)
  })
})

describe('the base string', () => {
  test('[S5.2-20] the query is signed: what is signed with it is accepted, what is added to it refused', async () => {
    const { outcome } = withKeys()
    const query = { lang: 'de', a: '1 2' }
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, query })
    expect(await outcome({ ...request, url: `${request.url}&more=1` })).toBe(403)
    expect(await outcome({ ...request, url: request.url.replace('lang=de', 'lang=en') })).toBe(403)
    expect(await outcome({ ...request, url: `/paynet${AT}` })).toBe(403)
    expect(await outcome({ ...request, url: `${request.url}&x=%4` })).toBe(403)
    expect(await outcome(request)).toBe('verified')
  })

  test('[S5.2-24] the URL is the public one: no header of the request has a say', async () => {
    const { outcome } = withKeys()
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    const request = oauthSigned(AT, PAYOUT, HMAC)
    expect(await outcome({ ...request, headers: { ...request.headers, ...forged } })).toBe('verified')
    const there = oauthSigned(AT, PAYOUT, { ...HMAC, nonce: 'b', baseUrl: 'https://evil.example/paynet' })
    expect(await outcome({ ...there, headers: { ...there.headers, ...forged } })).toBe(403)
  })

  test.for([
    ['HTTPS://Gate.Example.COM:443/paynet', 'https://gate.example.com/paynet'],
    ['http://gate.example.com:80/paynet/', 'http://gate.example.com/paynet'],
    ['http://127.0.0.1:8080/paynet', 'http://127.0.0.1:8080/paynet'],
  ] as const)('[S5.2-24] [G7.2-04] a public URL of %s is signed as %s', async ([publicUrl, baseUrl]) => {
    const { gateway } = testGateway({ publicUrl })
    expect(await gateway.handle(oauthSigned(AT, PAYOUT, { ...HMAC, baseUrl }))).toMatchObject({ status: 200 })
  })

  test('[G2.4-03] an empty field is signed as a name without a value', async () => {
    const { outcome } = withKeys()
    const request = oauthSigned(AT, { ...PAYOUT, purpose: '' }, HMAC)
    expect(request.body).toContain('purpose=&')
    expect(await outcome({ ...request, body: request.body.replace('purpose=&', '') })).toBe(403)
    expect(await outcome(request)).toBe('verified')
  })

  test('[S5.2-11] [S5.2-21] values beyond ASCII and reserved characters are signed as UTF-8 and percent escapes', async () => {
    const { outcome } = withKeys()
    const bank_name = "Sparkasse Köln + 'Bonn' (100 %) *~! 🏦"
    expect(await outcome(oauthSigned(AT, { ...PAYOUT, bank_name }, HMAC))).toBe('verified')
  })

  test('[S5.2-12] [G7.2-02] a nonce of any characters is signed as it is', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, nonce: 'a+b/c=%2B " ä' }))).toBe('verified')
  })
})

describe('methods and keys', () => {
  const FORM_AT = '/api/v2/payout-form/1111'
  const FORM = { client_orderid: 'out-1', amount: '10.42', currency: 'EUR', redirect_url: 'https://shop.example.com/' }

  test('[G12-05] payout-form takes either method, each with its own key', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(FORM_AT, FORM, { ...HMAC, nonce: 'a' }))).toBe('verified')
    expect(await outcome(oauthSigned(FORM_AT, FORM, { ...RSA, nonce: 'b' }))).toBe('verified')
    expect(await outcome(oauthSigned(FORM_AT, FORM, { ...HMAC, key: RIVAL.controlKey }))).toBe(403)
    expect(await outcome(oauthSigned(FORM_AT, FORM, { ...HMAC, key: shop.publicKey }))).toBe(403)
    expect(await outcome(oauthSigned(FORM_AT, FORM, { ...RSA, key: rsaKeys().privateKey }))).toBe(403)
  })

  test('[S5.2-27] [S9-03] payout-form under v4 takes RSA alone', async () => {
    const { outcome } = withKeys()
    const at = FORM_AT.replace('v2', 'v4')
    expect(await outcome(oauthSigned(at, FORM, { ...RSA, nonce: 'a' }))).toBe('verified')
    expect(await outcome(oauthSigned(at, FORM, { ...HMAC, nonce: 'b' }))).toBe(403)
  })

  test('[S5.2-17] [S9-03] v4 is refused to a merchant who supplied no public key, and payout-form by RSA too', async () => {
    const { gateway } = testGateway()
    const order = { login: 'shop', client_orderid: 'inv-1', orderid: '1' }
    expect(await gateway.handle(oauthSigned('/api/v4/payout-pay/1111', order, RSA))).toMatchObject({ status: 403 })
    expect(await gateway.handle(oauthSigned(FORM_AT, FORM, RSA))).toMatchObject({ status: 403 })
    expect(await gateway.handle(oauthSigned(FORM_AT, FORM, HMAC))).toMatchObject({ status: 200 })
  })
})

describe('a merchant who supplied no public key', () => {
  const PAY_AT = '/api/v4/payout-pay/2222'
  const PAY = { login: 'rival', client_orderid: 'inv-1', orderid: '1' }

  test('is refused after the work of a verification, as an unknown endpoint is', () => {
    const { decoy, byLogin, endpointOf } = readMerchants(merchants({ shop: shop.publicKey }), { sandbox: false }, false)
    const [merchant, at] = [byLogin('rival'), endpointOf({ login: 'rival', endpointId: '2222' })]
    const request = readRequest(oauthSigned(PAY_AT, PAY, RSA), '/paynet', { format: 'json' })
    if (!request.ok || merchant === undefined || at === undefined) throw new Error('the merchants are others')
    for (const target of [{ merchant, endpoints: [at] as const }, undefined]) {
      const rsaKey = vi.fn<() => typeof decoy.rsaKey>(() => decoy.rsaKey)
      const watched = Object.defineProperty({ ...decoy }, 'rsaKey', { get: rsaKey })
      const profile = defineProfile({ baseUrl: BASE_URL })
      expect(verifyRequest({ request, target, decoy: watched, profile, now: NOW * 1000 })).toEqual({ ok: false })
      expect(rsaKey).toHaveBeenCalledOnce()
    }
  })

  test('is refused with a signature by the key that this work uses', async () => {
    const { gateway } = withKeys()
    expect(await gateway.handle(oauthSigned(PAY_AT, PAY, { ...RSA, login: 'rival' }))).toMatchObject({ status: 403 })
    expect(await gateway.handle(oauthSigned(PAY_AT, PAY, RSA))).toMatchObject({ status: 403 })
  })
})

describe('timestamp and nonce', () => {
  test.for([-300, -1, 0, 1, 300])('[S5.2-07] [G13-04] a timestamp %i s from now is accepted', async (off) => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, timestamp: NOW + off }))).toBe('verified')
  })

  test.for([-301, 301, -86_400, -NOW + 1, NOW * 999])(
    '[S5.2-07] [G13-04] a timestamp %i s from now is refused',
    async (off) => {
      const { outcome } = withKeys()
      expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, timestamp: NOW + off }))).toBe(403)
    },
  )

  test('[S5.2-06] [G13-04] the same request a second time is refused, for as long as its timestamp holds', async () => {
    const { outcome, clock } = withKeys()
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, timestamp: NOW + 300 })
    expect(await outcome(request)).toBe('verified')
    for (const seconds of [0, 1, 299, 299, 1]) {
      await clock.advance(seconds * 1000)
      expect(await outcome(request)).toBe(403)
    }
    await clock.advance(1000)
    expect(await outcome(request)).toBe(403)
  })

  test('[S5.2-06] a request and its copy at once: one is verified', async () => {
    const { outcome } = withKeys()
    const request = oauthSigned(AT, PAYOUT, HMAC)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(request)))
    expect(outcomes.filter((one) => one === 'verified')).toHaveLength(1)
  })

  test('[G13-04] a used nonce is refused with other fields, and taken with another second', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, HMAC))).toBe('verified')
    expect(await outcome(oauthSigned(AT, { ...PAYOUT, client_orderid: 'out-2' }, HMAC))).toBe(403)
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, timestamp: NOW + 1 }))).toBe('verified')
  })

  test('[G13-04] two merchants may choose the same nonce', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, HMAC))).toBe('verified')
    const rival = { ...HMAC, key: RIVAL.controlKey, login: 'rival' }
    expect(await outcome(oauthSigned('/api/v2/payout/2222', PAYOUT, rival))).toBe('verified')
  })

  test('[G13-04] a nonce is compared decoded: another spelling of it is the same', async () => {
    const { outcome } = withKeys()
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, nonce: 'abc', inBody: false })
    expect(await outcome(request)).toBe('verified')
    expect(await outcome(reworded(request, (header) => header.replace('"abc"', '"%61bc"')))).toBe(403)
  })

  test('[G13-04] a nonce is not consumed by a request that is not verified', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, key: RIVAL.controlKey }))).toBe(403)
    expect(await outcome(oauthSigned(AT, { ...PAYOUT, login: 'rival' }, HMAC))).toBe('verified')
  })

  test('[G13-04] a nonce may have 128 bytes and not one more', async () => {
    const { outcome } = withKeys()
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, nonce: 'ä'.repeat(64) }))).toBe('verified')
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, nonce: `${'ä'.repeat(64)}a` }))).toBe(403)
    expect(await outcome(oauthSigned(AT, PAYOUT, { ...HMAC, nonce: '' }))).toBe(403)
  })
})
