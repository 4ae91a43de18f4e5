import { describe, expect, test } from 'vitest'
import type { GatewayRequest } from '../../src/index.ts'
import { desk, MONEY, shopKeys } from '../support/desk.ts'
import { FORMULAS } from '../support/formulas.ts'
import {
  control,
  controlled,
  type Fields,
  form,
  merchants,
  NOW,
  oauthSigned,
  post,
  RIVAL,
  rsaKeys,
  SALE,
  SHOP,
} from '../support/signed-requests.ts'

const PAYOUT = { client_orderid: 'out-1', ...MONEY, credit_card_number: '4444333322221111' }
const AT = '/api/v2/payout/1111'
const HMAC = { method: 'HMAC-SHA1', key: SHOP.controlKey }
const RSA = { method: 'RSA-SHA256', key: shopKeys.privateKey }
const FORM = { client_orderid: 'o', ...MONEY, redirect_url: 'https://shop.example.com/' }
const PAY = { login: 'shop', client_orderid: 'out-1', orderid: '123456789012345' }

/** What a sandbox says to a request that it refuses. */
async function told(request: GatewayRequest, options: Parameters<typeof desk>[0] = {}): Promise<string> {
  const { send } = desk({ sandbox: true, ...options })
  const { http, 'error-message': message = '', type, 'error-code': code } = await send(request)
  expect([http, type, code]).toEqual(['403', 'error', '4'])
  expect(message.startsWith('The signature of this request is not accepted.')).toBe(true)
  return message
}

function saleSignedAs(formula: string, signed: Fields = SALE, signer = SHOP, sent: Fields = SALE): GatewayRequest {
  return post('/api/v2/sale/1111', form({ ...sent, control: control(formula, signed, signer) }))
}

const ONE_ANSWER = 'The signature of this request is not accepted.'
const OTHER_KEY =
  'No single mistake explains this: compare your key with the one that the gateway has for you, and the text that you signed with this:'

describe('a sandbox says what is wrong with a control', () => {
  test.for<readonly [string, GatewayRequest, string]>([
    [
      'the terms in another order',
      saleSignedAs('client_orderid + endpointId + amount + email + key'),
      'the order is another: sign the terms endpointId, clientOrderId, amountInCents, email, then the key',
    ],
    [
      'the formula of another operation',
      controlled('/api/v2/capture', FORMULAS.named, { ...PAY, amount: '10.42', currency: 'EUR' }),
      'this is the formula of uploadCresResult, uploadMethodUrlResult, uploadParesResult, void, createCardRef, status: sign the terms login, clientOrderId, orderId, amountInCents, currency, then the key',
    ],
    [
      'no amount, as in the formula of another operation',
      saleSignedAs(FORMULAS.verified),
      'amountInCents was left out: sign the terms endpointId, clientOrderId, amountInCents, email, then the key',
    ],
    [
      'the login instead of the id in the path',
      saleSignedAs('login + client_orderid + amount + email + key', { ...SALE, login: 'shop' }),
      'endpointId is the id in the path: sign it and not the login',
    ],
    [
      'a field that is not signed, shown by its name',
      saleSignedAs('endpointId + client_orderid + amount + cvv2 + email + key'),
      'cvv2 is no term of this formula: sign the terms endpointId, clientOrderId, amountInCents, email, then the key\nexpected: ',
    ],
    ['the amount in major units', amountInMajorUnits(), 'sign amountInCents in minor units: 10.42 is signed as 1042'],
    [
      'JSON that says it is a form, as curl does',
      post('/api/v2/sale/1111', JSON.stringify({ ...SALE, control: 'x' })),
      'The body is no form, such as client_orderid=7&amount=10.42: JSON is not read.',
    ],
    ['no control', post('/api/v2/sale/1111', form(SALE)), 'The field control is missing: sign the request.'],
  ])('%s', async ([, request, words]) => {
    expect(await told(request)).toContain(`${ONE_ANSWER} Sandbox: ${words}`)
  })

  function amountInMajorUnits(): GatewayRequest {
    const signed = control('endpointId + client_orderid + email + key', { ...SALE, client_orderid: 'inv-110.42' })
    return post('/api/v2/sale/1111', form({ ...SALE, control: signed }))
  }

  test('the id of an endpoint where the path names its group', async () => {
    const { login, controlKey } = SHOP
    const groups = [{ id: 77, endpoints: [1111] }]
    const request = { ...saleSignedAs(FORMULAS.paid), url: '/paynet/api/v2/sale/group/77' }
    expect(await told(request, { merchants: [{ login, controlKey, endpoints: [{ id: 1111 }], groups }] })).toContain(
      'the path names a group, so sign the id of the group and not that of an endpoint',
    )
  })

  test('the id of a group where the path names an endpoint that is in it', async () => {
    const { login, controlKey } = SHOP
    const groups = [{ id: 77, endpoints: [1111] }]
    const request = saleSignedAs(FORMULAS.paid, SALE, { ...SHOP, endpointId: '77' })
    const sent = { ...request, url: '/paynet/api/v2/sale/1111' }
    expect(await told(sent, { merchants: [{ login, controlKey, endpoints: [{ id: 1111 }], groups }] })).toContain(
      'the path names an endpoint, so sign the id of the endpoint and not that of its group',
    )
  })

  test('JSON with characters beyond ASCII, which no form has', async () => {
    const reply = await desk({ sandbox: true }).gateway.handle(post('/api/v2/sale/1111', '{"order_desc":"Größe"}'))
    expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('JSON is not read')])
  })

  test('the order id that a status without one was signed with', async () => {
    const made = desk({ sandbox: true })
    const { client_orderid, orderid } = await made.sale()
    const signed = control(FORMULAS.named, { login: 'shop', client_orderid, orderid })
    const fields = form({ login: 'shop', client_orderid, control: signed })
    expect((await made.send(post('/api/v2/status/1111', fields)))['error-message']).toContain(
      `${ONE_ANSWER} Sandbox: orderId was not sent, so its term is an empty text: sign '' in its place`,
    )
  })

  test.for<readonly [string, GatewayRequest]>([
    ['login', withoutLogin()],
    ['amount', saleSignedAs(FORMULAS.paid, SALE, SHOP, { ...SALE, amount: ' ' })],
  ])('%s, which was signed and not sent', async ([name, request]) => {
    expect(await told(request)).toBe(`${ONE_ANSWER} Sandbox: ${name} was not sent: send it, and sign it as it is sent`)
  })

  function withoutLogin(): GatewayRequest {
    const sent = { client_orderid: 'inv-1', orderid: '' }
    return post('/api/v2/status/1111', form({ ...sent, control: control(FORMULAS.named, { ...sent, login: 'shop' }) }))
  }

  test('a control in base64, beside which there is nothing to compare', async () => {
    const inBase64 = Buffer.from(control(FORMULAS.paid, SALE), 'hex').toString('base64')
    expect(await told(post('/api/v2/sale/1111', form({ ...SALE, control: inBase64 })))).toBe(
      `${ONE_ANSWER} Sandbox: the control is SHA-1 in 40 hexadecimal digits, not sha1 in base64`,
    )
  })

  test.for<readonly [string, GatewayRequest]>([
    ['the key is another', saleSignedAs(FORMULAS.paid, SALE, { ...RIVAL, endpointId: '1111' })],
    ['the id of another endpoint was signed', saleSignedAs(FORMULAS.paid, SALE, { ...SHOP, endpointId: '1112' })],
  ])('what to compare, if no single mistake explains it: %s', async ([, request]) => {
    const text = `1111${SALE.client_orderid}1042${SALE.email}[key]`
    expect(await told(request)).toBe(`${ONE_ANSWER} Sandbox: ${OTHER_KEY}\nexpected: ${text}`)
  })

  test('an endpoint that does not exist', async () => {
    const request = { ...saleSignedAs(FORMULAS.paid), url: '/paynet/api/v2/sale/9999' }
    expect(await told(request)).toBe(
      'The signature of this request is not accepted. Sandbox: There is no endpoint or group of this id: look at the end of the path.',
    )
  })

  test.for([
    ['/paynet/api/v2/sale/group/1111', '1111 is the id of an endpoint, not of a group: leave out /group/ before it.'],
    [
      '/paynet/api/v4/create-recurring-payment/77',
      '77 is the id of a group, and this operation takes an endpoint: put the id of one there.',
    ],
  ])('[F-C11] an id of the other kind: %s', async ([url = '', reason = '']) => {
    const [shop, ...others] = merchants()
    if (shop === undefined) throw new Error('there is no merchant')
    const groups = [{ id: 77, endpoints: [1111] }]
    const request = { ...saleSignedAs(FORMULAS.paid), url }
    expect(await told(request, { merchants: [{ ...shop, groups }, ...others] })).toBe(
      `${ONE_ANSWER} Sandbox: ${reason}`,
    )
  })

  const OTHER = 'is not that of the merchant whose endpoint is in the path: login, endpoint and key belong together.'

  test('the login of another merchant, whoever signed', async () => {
    for (const { controlKey } of [SHOP, RIVAL]) {
      const fields = { login: 'rival', client_orderid: 'inv-1', orderid: '' }
      const signed = control(FORMULAS.named, fields, { ...SHOP, controlKey })
      const request = post('/api/v2/status/1111', form({ ...fields, control: signed }))
      expect(await told(request)).toBe(`${ONE_ANSWER} Sandbox: The login rival ${OTHER}`)
    }
  })

  test('a login that is a card number is masked', async () => {
    const fields = { login: '4444333322221111', client_orderid: 'inv-1', orderid: '' }
    const request = post('/api/v2/status/1111', form({ ...fields, control: control(FORMULAS.named, fields) }))
    expect(await told(request)).toBe(`${ONE_ANSWER} Sandbox: The login 444433******1111 ${OTHER}`)
  })

  test('a capture whose amount is not that of an order', async () => {
    const fields = { login: 'shop', client_orderid: 'inv-9', orderid: '123456789012345' }
    const signed = control(FORMULAS.modified, { ...fields, amount: '10.42', currency: 'EUR' })
    await told(post('/api/v2/capture/1111', form({ ...fields, control: signed })))
  })
})

describe('a sandbox says what is wrong with an OAuth signature', () => {
  const cases: ReadonlyArray<readonly [string, GatewayRequest, string]> = [
    ['no header', authorized(undefined), 'Sandbox: The header Authorization is missing: sign the request by OAuth.'],
    [
      'the header twice',
      authorized(['OAuth a="b"', 'OAuth a="b"']),
      'Sandbox: The header Authorization came more than once: send one.',
    ],
    [
      'JSON that says it is a form',
      { ...oauthSigned(AT, PAYOUT, HMAC), body: JSON.stringify(PAYOUT) },
      'Sandbox: The body is no form',
    ],
    ['another scheme', authorized('Basic abc'), 'Sandbox: the Authorization header is not of the scheme OAuth'],
    [
      'a clock that is wrong',
      oauthSigned(AT, PAYOUT, { ...HMAC, timestamp: NOW - 400 }),
      'Sandbox: oauth_timestamp is more than 300 s from the present',
    ],
    ['another method', oauthSigned(AT, PAYOUT, RSA), 'Sandbox: oauth_signature_method is not HMAC-SHA1'],
    [
      'HMAC under v4, where it is one of two methods under v2',
      oauthSigned('/api/v4/payout-form/1111', FORM, HMAC),
      'Sandbox: oauth_signature_method is not RSA-SHA256',
    ],
    ['another path, where RSA is one of two methods', moved(), 'Sandbox: sign the path exactly as it is sent'],
    [
      'another key pair',
      oauthSigned('/api/v4/payout-pay/1111', PAY, { ...RSA, key: rsaKeys().privateKey }),
      ONE_ANSWER,
    ],
    ['a field that was changed on the way', changed(), ONE_ANSWER],
    [
      'the endpoint of another merchant',
      oauthSigned(AT, PAYOUT, { ...HMAC, key: RIVAL.controlKey, login: 'rival' }),
      'Sandbox: The login rival is not that of the merchant whose endpoint is in the path',
    ],
  ]

  function moved(): GatewayRequest {
    const request = oauthSigned('/api/v2/payout-form/1111/', FORM, RSA)
    return { ...request, url: '/paynet/api/v2/payout-form/1111' }
  }

  function changed(from = '34.00', to = '35.00'): GatewayRequest {
    const request = oauthSigned(AT, PAYOUT, HMAC)
    return { ...request, body: request.body.replace(from, to) }
  }

  function authorized(authorization: string | readonly string[] | undefined): GatewayRequest {
    const { headers, ...request } = oauthSigned(AT, PAYOUT, HMAC)
    return { ...request, headers: { ...headers, authorization } }
  }

  test.for(cases)('%s', async ([, request, words]) => {
    expect(await told(request)).toContain(words)
  })

  test.for<readonly [string, GatewayRequest]>([
    ['another scheme', authorized('Basic abc')],
    ['a time in milliseconds', oauthSigned(AT, PAYOUT, { ...HMAC, timestamp: NOW * 1000 })],
    ['a nonce in the body that is not that of the header', changed('oauth_nonce=', 'oauth_nonce=1')],
  ])('and compares nothing with what it has not: %s', async ([, request]) => {
    expect(await told(request)).toMatch(/^\S.* Sandbox: .+$/)
  })

  test.for([
    ['http://127.0.0.1/paynet', 'its port'],
    ['http://localhost:8080/paynet', 'the other name of the machine'],
    ['http://localhost/paynet', 'both'],
  ])('an address without what a local one has: %s (%s)', async ([baseUrl = '']) => {
    const request = oauthSigned(AT, PAYOUT, { ...HMAC, baseUrl })
    expect(await told(request, { publicUrl: 'http://127.0.0.1:8080/paynet' })).toContain(
      'Sandbox: sign the public URL that the request was sent to',
    )
  })

  test('that a request is too long to check it for every mistake', async () => {
    const many = Object.fromEntries(Array.from({ length: 180 }, (_, at) => [`field_${at}`, ' '.repeat(100)]))
    const { body, ...request } = oauthSigned(AT, { ...PAYOUT, ...many }, HMAC)
    expect(await told({ ...request, body: body.replace('34.00', '35.00') })).toMatch(
      /^\S.* Sandbox: The request is too long/,
    )
  })

  test.for<readonly [string, GatewayRequest]>([
    ['by HMAC-SHA1', oauthSigned(AT, PAYOUT, { ...HMAC, key: RIVAL.controlKey })],
    ['by RSA-SHA256', oauthSigned('/api/v4/payout-pay/1111', PAY, { ...RSA, key: rsaKeys().privateKey })],
    ['with a field that was changed on the way', changed()],
  ])('what to compare, if no single mistake explains it: %s', async ([, request]) => {
    const message = await told(request)
    expect(message).toContain(`${ONE_ANSWER} Sandbox: ${OTHER_KEY}\nexpected: POST&https%3A%2F%2Fgate.`)
  })

  test('[S5.2-06] a nonce that was sent before', async () => {
    const { send } = desk({ sandbox: true })
    await send(oauthSigned(AT, PAYOUT, HMAC))
    expect((await send(oauthSigned(AT, PAYOUT, HMAC)))['error-message']).toBe(
      `${ONE_ANSWER} Sandbox: this consumer has sent this nonce with this timestamp before: make a fresh nonce for every request, also for a repeat`,
    )
  })

  test('a merchant who has no public key', async () => {
    const request = oauthSigned('/api/v4/payout-pay/1111', PAY, RSA)
    expect(await told(request, { merchants: merchants() })).toBe(
      `${ONE_ANSWER} Sandbox: This merchant has no publicKey (publicKeyFile) in the configuration.`,
    )
  })

  test('[S2-04] in words that hold no card number, no CVV and no key', async () => {
    const secrets = ['4444333322221111', SHOP.controlKey, RIVAL.controlKey, 'cvv2=123']
    const requests = [saleSignedAs(FORMULAS.verified), changed(), ...cases.map(([, request]) => request)]
    for (const request of requests) {
      const message = await told(request)
      for (const secret of secrets) expect(message).not.toContain(secret)
    }
  })
})

test('[S7-03] elsewhere nothing is said, whatever is wrong', async () => {
  const { send } = desk()
  const request = saleSignedAs(FORMULAS.verified)
  expect((await send(request))['error-message']).toBe('The signature of this request is not accepted.')
})
