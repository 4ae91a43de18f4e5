import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import {
  decodeParameters,
  hmacKey,
  parseAuthorizationHeader,
  rsaPublicKey,
  verifyControl,
  verifyOAuth,
} from '@tallystick/signing'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, type OutgoingRequest } from '../src/index.ts'
import { acknowledged, fakeTransport, json } from './fake-transport.ts'
import { keyPair, publicPem } from './keys.ts'
import { baseUrl, keyedClient, merchant, merchantClient } from './merchant.ts'
import { clientFor, type OperationCase, operations, reads } from './operations.ts'
import { errorOf } from './outcomes.ts'

const named = (key: OperationCase['key']): OperationCase => {
  const found = operations.find((each) => each.key === key)
  if (found === undefined) throw new Error(`there is no case of ${key}`)
  return found
}

async function sentBy(
  operation: OperationCase,
  profile: Parameters<typeof merchantClient>[1] = {},
  options: Parameters<OperationCase['send']>[1] = {},
  make = clientFor(operation),
): Promise<OutgoingRequest> {
  const transport = fakeTransport(json(operation.reply))
  await operation.send(make(transport, profile), options)
  const [request, ...others] = transport.sent
  expect(others).toEqual([])
  if (request === undefined) throw new Error('nothing was sent')
  return request
}

/** The form, read by Node's own parser and not by our code. */
const formOf = ({ body }: OutgoingRequest) => Object.fromEntries(new URLSearchParams(body))

/** The form without what authenticates it. */
const fieldsOf = (request: OutgoingRequest) =>
  Object.fromEntries(
    Object.entries(formOf(request)).filter(([name]) => name !== 'control' && !name.startsWith('oauth_')),
  )

/** RFC 3986: everything but the unreserved characters is escaped. */
const escaped = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte)
    const hex = byte.toString(16).toUpperCase().padStart(2, '0')
    return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${hex}`
  }).join('')

/** The six parameters of the header, by its documented grammar. */
const headerOf = ({ headers }: OutgoingRequest): Readonly<Record<string, string>> => {
  const header = headers['authorization'] ?? ''
  expect(header).toMatch(/^OAuth [a-z_]+="[^"]*"(?:, ?[a-z_]+="[^"]*")*$/)
  const parameters = header.slice('OAuth '.length).split(/, ?/)
  return Object.fromEntries(
    parameters.map((each) => {
      const [, name = '', value = ''] = /^([a-z_]+)="([^"]*)"$/.exec(each) ?? []
      return [name, decodeURIComponent(value)]
    }),
  )
}

/** The signature base string by the six steps of the specification's part 5.2. */
const baseStringOf = (request: OutgoingRequest, oauth: Readonly<Record<string, string>>) => {
  const collected = Object.entries({ ...fieldsOf(request), ...oauth }).filter(([name]) => name !== 'oauth_signature')
  const parameters = collected.map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
  return `POST&${escaped(request.url)}&${escaped(parameters.toSorted().join('&'))}`
}

const OTHERS = [
  'checkCredentials',
  'close',
  'endpoint',
  'exponents',
  'newClientOrderId',
  'derivedClientOrderId',
  'threeDs',
  'useCredentials',
  'verifiesCallback',
  'waitForOutcome',
  'wake',
  'watchOutcome',
]

test('[S5-01] the client has a method for each of the 32 operations, and twelve other members', () => {
  const methods = Object.keys(merchantClient(fakeTransport(acknowledged)))
  expect(operations).toHaveLength(32)
  expect(methods.toSorted()).toEqual([...operations.map(({ key }) => key), ...OTHERS].toSorted())
})

describe.each(operations)('$rules $key', (operation) => {
  const { path, form, signed, reply, key } = operation

  test('[S4-02] [S1-01] [S9-01] goes to its path below the base URL, with the endpoint at its end', async () => {
    expect((await sentBy(operation)).url).toBe(`https://gate.example.com/paynet${path}`)
  })

  test('[S4-04] [S4-05] [S2-03] [S2-06] [S5.1-04] [S5.2-04] sends its fields and the login as a form, by the names of the wire', async () => {
    const request = await sentBy(operation)
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(fieldsOf(request)).toEqual(form)
  })

  test('[G7.2-03] encodes its form by RFC 3986, so that no character is left to interpretation', async () => {
    const { body } = await sentBy(operation)
    const value = '(?:[A-Za-z0-9\\-._~]|%[0-9A-F]{2})'
    expect(body).toMatch(new RegExp(`^${value}+=${value}*(?:&${value}+=${value}*)*$`))
  })

  test('[S4-03] asks for application/vnd.pay+json, but for nothing if the profile reads classic replies', async () => {
    expect((await sentBy(operation)).headers['accept']).toBe('application/vnd.pay+json')
    expect((await sentBy(operation, { replyFormat: 'classic' })).headers).not.toHaveProperty('accept')
  })

  test('[S4-09] [S9-03] [S9-04] [S5.2-17] [S5.2-18] [G7.2-01] is signed as the table of part 4 says', async () => {
    const request = await sentBy(operation)
    if ('control' in signed) expectControl(request, signed.control)
    else expectOAuth(request, signed.oauth)
  })

  test('[S2-04] never sends the control key', async () => {
    expect(JSON.stringify(await sentBy(operation))).not.toContain('D5F82EC1')
  })

  test('returns the reply of the gateway to the caller', async () => {
    const result = await operation.send(clientFor(operation)(fakeTransport(json(reply))))
    expect(result).toMatchObject(reads.has(key) ? { type: reply['type'] } : { outcome: 'accepted' })
  })

  test.each(['control', 'oauth_nonce', 'oauth_signature', ...('login' in form ? ['login'] : [])])(
    'refuses %s among the undocumented fields, because the client writes it',
    async (name) => {
      const transport = fakeTransport(acknowledged)
      const error = await errorOf(operation.send(clientFor(operation)(transport), {}, { [name]: 'x' }))
      expect(error).toMatchObject({ code: 'INVALID_INPUT', issues: [{ field: 'extra', wireName: name }] })
      expect(transport.sent).toEqual([])
    },
  )

  test('passes undocumented fields through, signed where the scheme signs them', async () => {
    const transport = fakeTransport(json(reply))
    await operation.send(clientFor(operation)(transport), {}, { 'x-shop': 'a b' })
    const [request] = transport.sent
    expect(request?.body).toMatch(/(?:^|&)x-shop=a%20b(?:&|$)/)
    if (request !== undefined && 'oauth' in signed) expectOAuth(request, signed.oauth)
  })
})

describe('An endpoint group', () => {
  test.each(operations.filter(({ key }) => !key.includes('RecurringPayment')))(
    '[G1-02] [G1-03] [G1-04] [S2-02] takes $key, and its id is signed in place of the endpoint id',
    async (operation) => {
      const { path, signed } = operation
      const request = await sentBy(operation, {}, { endpointGroupId: '77' })
      const end = path.startsWith('/api/3ds/') ? '/77' : '/group/77'
      expect(request.url).toBe(`${baseUrl}${path.replace(/\/253$/, end)}`)
      if ('control' in signed) {
        expectControl(
          request,
          signed.control.map((term) => (term === '253' ? '77' : term)),
        )
      }
    },
  )

  test.each(operations.filter(({ key }) => key.includes('RecurringPayment')))(
    '[G1-02] cannot be given to $key, which has no address for one',
    async (operation) => {
      const transport = fakeTransport(acknowledged)
      const sending = operation.send(keyedClient(transport), { endpointGroupId: '77' })
      await expect(sending).rejects.toThrow(/cannot be sent to an endpoint group/)
      expect(transport.sent).toEqual([])
    },
  )
})

/** Checks the control twice: with Node's hash over the terms of the table, and with the verifier of the other half. */
function expectControl(request: OutgoingRequest, terms: readonly string[]): void {
  const control = new URLSearchParams(request.body).get('control') ?? ''
  const expected = createHash('sha1')
    .update([...terms, merchant.controlKey].join(''))
    .digest('hex')
  expect(control).toBe(expected)
  expect(verifyControl({ terms, key: merchant.controlKey, control }).ok).toBe(true)
  expect(request.headers).not.toHaveProperty('authorization')
  expect(request.body).not.toContain('oauth_')
}

/** Whether a signature fits, by `node:crypto` alone, with the keys as the specification makes them. */
const isSignature = {
  'HMAC-SHA1': (text: string, signature: Buffer) =>
    createHmac('sha1', `${merchant.controlKey}&`).update(text).digest().equals(signature),
  'RSA-SHA256': (text: string, signature: Buffer) =>
    verify('sha256', Buffer.from(text), createPublicKey(keyPair.privateKey), signature),
}

function expectOAuth(request: OutgoingRequest, method: 'HMAC-SHA1' | 'RSA-SHA256'): void {
  const oauth = headerOf(request)
  expect(oauth).toEqual({
    oauth_consumer_key: 'test-login',
    oauth_nonce: 'y3qlvMPky7g',
    oauth_signature: expect.stringMatching(/^[A-Za-z0-9+/]+={0,2}$/),
    oauth_signature_method: method,
    oauth_timestamp: '1669966913',
    oauth_version: '1.0',
  })
  const signature = Buffer.from(oauth['oauth_signature'] ?? '', 'base64')
  const text = baseStringOf(request, oauth)
  expect(isSignature[method](text, signature)).toBe(true)
  expect(request.body).not.toContain('control=')
  expectVerifiedByTheOtherHalf(request, method)
}

function expectVerifiedByTheOtherHalf(request: OutgoingRequest, method: 'HMAC-SHA1' | 'RSA-SHA256'): void {
  const parsed = parseAuthorizationHeader(request.headers['authorization'] ?? '')
  if (!parsed.ok) throw new Error(parsed.message)
  const parameters = decodeParameters(request.body)
  const received = { header: parsed.header, httpMethod: 'POST', url: request.url, parameters, now: 1_669_966_913 }
  const verdict =
    method === 'HMAC-SHA1'
      ? verifyOAuth({ ...received, method, key: hmacKey(merchant.controlKey) })
      : verifyOAuth({ ...received, method, key: rsaPublicKey(publicPem) })
  expect(verdict.ok).toBe(true)
}

describe('OAuth of the client', () => {
  const payout = named('payout')
  const bodyOAuth = {
    oauth_consumer_key: 'test-login',
    oauth_nonce: 'y3qlvMPky7g',
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: '1669966913',
    oauth_version: '1.0',
  }

  test('[S5.2-05] [S5.2-09] [S5.2-10] [S5.2-08] repeats the header in the body, without the signature', async () => {
    const request = await sentBy(payout)
    const { oauth_signature: signature, ...others } = headerOf(request)
    expect(signature).toBeDefined()
    expect(others).toEqual(bodyOAuth)
    expect(formOf(request)).toEqual({ ...payout.form, ...bodyOAuth })
  })

  test('[G12-12] puts the parameters into the header alone if the profile says so, with the same signature', async () => {
    const both = await sentBy(payout)
    const headerOnly = await sentBy(payout, { oauthInBody: false })
    expect(formOf(headerOnly)).toEqual(payout.form)
    expect(headerOnly.headers).toEqual(both.headers)
  })

  test('[G12-05] signs payout-form by the method of the profile, HMAC-SHA1 by default', async () => {
    expectOAuth(await sentBy(named('payoutForm')), 'HMAC-SHA1')
    const byRsa = await sentBy(named('payoutForm'), { payoutFormMethod: 'RSA-SHA256' }, {}, keyedClient)
    expectOAuth(byRsa, 'RSA-SHA256')
  })

  test('[S5.2-02] [S5.2-03] [S5.2-12] encodes signature and nonce in the header, which has no realm', async () => {
    const transport = fakeTransport(acknowledged)
    const client = createPaymentClient({ ...merchant, baseUrl, transport, nonce: () => 'a b+c/d="é"' })
    await payout.send(client)
    const header = transport.sent[0]?.headers['authorization']
    expect(header).toContain('oauth_nonce="a%20b%2Bc%2Fd%3D%22%C3%A9%22"')
    expect(header).toMatch(/oauth_signature="[A-Za-z0-9]+(?:%2B|%2F|[A-Za-z0-9])*%3D"/)
    expect(header).not.toContain('realm')
  })

  test('[S5.2-06] takes a new nonce for each request', async () => {
    const transport = fakeTransport(acknowledged)
    const { nonce: _fixed, ...others } = merchant
    const client = createPaymentClient({ ...others, baseUrl, transport })
    for (let count = 0; count < 50; count++) await payout.send(client)
    const nonces = new Set(transport.sent.map((request) => headerOf(request)['oauth_nonce']))
    expect(nonces.size).toBe(50)
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  })

  test('[S5.2-07] stamps the whole seconds of the clock, and of the system without one', async () => {
    const transport = fakeTransport(acknowledged)
    const { clock: _fixed, ...others } = merchant
    await payout.send(createPaymentClient({ ...others, baseUrl, transport }))
    const seconds = Number(headerOf(transport.sent[0] as OutgoingRequest)['oauth_timestamp'])
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(5)
    expect(headerOf(await sentBy(payout))['oauth_timestamp']).toBe('1669966913')
  })

  test('[S5.2-24] [G7.2-04] signs the URL without a default port, but with another one', async () => {
    const withPort = async (address: string) => headerOf(await sentBy(payout, { baseUrl: address }))['oauth_signature']
    const plain = await withPort('https://gate.example.com/paynet')
    expect(await withPort('https://GATE.example.com:443/paynet')).toBe(plain)
    expect(await withPort('https://gate.example.com:8443/paynet')).not.toBe(plain)
  })

  test.each(operations.filter(({ signed }) => 'oauth' in signed && signed.oauth === 'RSA-SHA256'))(
    '[S5.2-16] [S5.2-27] $key cannot be sent without a private key: nothing leaves, and the option is named',
    async (operation) => {
      const transport = fakeTransport(acknowledged)
      const client = merchantClient(transport)
      await expect(operation.send(client)).rejects.toThrow(/RSA-SHA256: give privateKey to createPaymentClient/)
      await expect(operation.send(client)).rejects.toBeInstanceOf(TypeError)
      expect(transport.sent).toEqual([])
    },
  )
})

describe('What the profile and the options of a call change', () => {
  test.each(['/api/v2/make-rebill', '/api/v2/make-rebill-sale', '/api/v2/make-rebill-preauth'] as const)(
    '[G12-01] make-rebill goes to %s if the profile says so',
    async (rebillPath) => {
      const { url } = await sentBy(named('makeRebill'), { rebillPath })
      expect(url).toBe(`https://gate.example.com/paynet${rebillPath}/253`)
    },
  )

  test('[G1-01] the path prefix of the brand is configuration', async () => {
    const request = await sentBy(named('status'), { baseUrl: 'http://127.0.0.1:8080/checkout/' })
    expect(request.url).toBe('http://127.0.0.1:8080/checkout/api/v2/status/253')
  })

  test('a profile that gives two fields one name is refused before anything is sent', async () => {
    const transport = fakeTransport(acknowledged)
    const order = { clientOrderId: '902B4FF5', orderId: 'PAYNET-112233' }
    const taken = merchantClient(transport, { wireNames: { ReturnRequest: { orderId: 'amount' } } })
    expect(await taken.return(order)).toMatchObject({ outcome: 'notSent', error: { code: 'INVALID_INPUT' } })
    const doubled = merchantClient(transport, { wireNames: { ReturnRequest: { orderId: 'client_orderid' } } })
    await expect(doubled.return(order)).rejects.toMatchObject({ code: 'MALFORMED_FORM', reason: 'repeated-name' })
    expect(transport.sent).toEqual([])
  })

  test('[S5.1-02] [G13-27] a call can go to another endpoint, a text or a bigint up to int64, which its control signs', async () => {
    for (const endpointId of [9_223_372_036_854_775_807n, '9223372036854775807']) {
      const request = await sentBy(named('sale'), {}, { endpointId })
      expect(request.url).toBe('https://gate.example.com/paynet/api/v2/sale/9223372036854775807')
      expectControl(request, ['9223372036854775807', '902B4FF5', '1042', 'john.smith@gmail.com'])
    }
  })

  test('[G13-06] [S5.1-05] [S8-03] amounts are signed in cents, or by ISO 4217 if the profile says so', async () => {
    const transport = fakeTransport(acknowledged)
    const rebill = { clientOrderId: 'A1', cardRefId: '1326586', amount: '1042', currency: 'JPY' }
    await merchantClient(transport).makeRebill(rebill)
    await merchantClient(transport, { exponents: 'iso-4217' }).makeRebill(rebill)
    const [inCents, inYen] = transport.sent as [OutgoingRequest, OutgoingRequest]
    expectControl(inCents, ['test-login', 'A1', '1326586', '104200', 'JPY'])
    expectControl(inYen, ['test-login', 'A1', '1326586', '1042', 'JPY'])
  })

  test('[G7.1-04] a full capture or return signs neither amount nor currency', async () => {
    const transport = fakeTransport(acknowledged)
    const client = merchantClient(transport)
    await client.capture({ clientOrderId: '902B4FF5', orderId: '6768788' })
    await client.return({ clientOrderId: '902B4FF5', orderId: '6768788' })
    for (const request of transport.sent) expectControl(request, ['test-login', '902B4FF5', '6768788'])
  })
})
