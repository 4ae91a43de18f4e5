import { generateKeyPairSync } from 'node:crypto'
import { format, inspect } from 'node:util'
import { defineProfile, Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, type PaymentClientOptions, undiciTransport } from '../src/index.ts'
import { acknowledged, fakeTransport } from './fake-transport.ts'
import { pkcs1Pem, privatePem, publicPem } from './keys.ts'
import { baseUrl, merchant } from './merchant.ts'

const transport = fakeTransport(acknowledged)
const valid = { ...merchant, baseUrl, transport }

/** Options as a caller without types may give them. */
const made = (changes: object) => () => createPaymentClient({ ...valid, ...changes } as unknown as PaymentClientOptions)

const pem = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

describe('Wrong options', () => {
  test.each<readonly [option: string, what: string, changes: object]>([
    ['login', 'absent', { login: undefined }],
    ['login', 'blank', { login: '  ' }],
    ['login', 'no text', { login: 7 }],
    ['login', 'too long', { login: 'a'.repeat(21) }],
    ['login', 'cut in the middle of a character', { login: 'a\uD800' }],
    ['login', 'broken into lines', { login: 'test\nlogin' }],
    ['controlKey', 'absent', { controlKey: undefined }],
    ['controlKey', 'empty', { controlKey: '' }],
    ['controlKey', 'no text', { controlKey: 7 }],
    ['controlKey', 'null', { controlKey: null }],
    ['privateKey', 'empty', { privateKey: '' }],
    ['privateKey', 'no text', { privateKey: Buffer.from('key') }],
    ['baseUrl', 'absent, as the profile is', { baseUrl: undefined }],
    ['baseUrl', 'no address', { baseUrl: 'gate.example.com' }],
    ['baseUrl', 'of another protocol', { baseUrl: 'ftp://gate.example.com' }],
    ['baseUrl', 'with a query', { baseUrl: 'https://gate.example.com/?a=1' }],
    ['baseUrl', 'missing in the profile', { baseUrl: undefined, profile: {} }],
    ['profile', 'given beside baseUrl', { profile: defineProfile({ baseUrl }) }],
    ['endpointId', 'absent', { endpointId: undefined }],
    ['endpointId', 'no number', { endpointId: 'sale' }],
    ['endpointId', 'a float', { endpointId: 253 }],
    ['endpointId', 'zero', { endpointId: 0n }],
    ['endpointId', 'beyond int64', { endpointId: '9223372036854775808' }],
    ['endpointGroupId', 'no number', { endpointId: undefined, endpointGroupId: '-1' }],
    ['endpointGroupId', 'given beside endpointId', { endpointGroupId: '77' }],
    ['clock', 'no clock', { clock: {} }],
    ['clock', 'a function', { clock: Date.now }],
    ['nonce', 'a text', { nonce: 'y3qlvMPky7g' }],
    ['transport', 'without close', { transport: { send: transport.send } }],
    ['transport', 'without send', { transport: { close: transport.close } }],
    ['did you mean timeoutMs?', 'misspelled', { timeout: 5 }],
    ['allowPlainHttp', 'a text, which would be as good as true', { allowPlainHttp: 'false' }],
    ['baseUrl', 'plain http beyond this machine', { baseUrl: 'http://gate.example.com/paynet' }],
    ['baseUrl', 'plain http to what only looks like this machine', { baseUrl: 'http://127.0.0.1.example.com' }],
    ['baseUrl', 'plain http in the profile', { baseUrl: undefined, profile: { baseUrl: 'http://gate/paynet' } }],
    ['timeoutMs', 'zero', { timeoutMs: 0 }],
    ['timeoutMs', 'negative', { timeoutMs: -1 }],
    ['timeoutMs', 'no number', { timeoutMs: Number.NaN }],
    ['timeoutMs', 'a text', { timeoutMs: '70000' }],
    ['timeoutMs', 'endless', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['timeoutMs', 'more than a timer keeps, which would fire at once', { timeoutMs: 2_147_483_648 }],
  ])('%s is refused with a TypeError that names it if it is %s', (option, _what, changes) => {
    expect(made(changes)).toThrow(TypeError)
    expect(made(changes)).toThrow(option)
    expect(made(changes)).toThrow(/^createPaymentClient: /)
  })

  test('are refused with a TypeError too if they are all missing', () => {
    expect(() => createPaymentClient(undefined as unknown as PaymentClientOptions)).toThrow(
      'createPaymentClient: its options are missing: { baseUrl, login, controlKey, endpointId } at least',
    )
  })

  test.each([
    { baseUrl: 'http://localhost:8080/paynet' },
    { baseUrl: 'http://127.0.0.1/paynet' },
    { baseUrl: 'http://[::1]:8080' },
    { baseUrl: 'http://gateway:8080/paynet', allowPlainHttp: true },
  ])('plain http is allowed on this machine, or with allowPlainHttp: %j', (changes) => {
    expect(made(changes)).not.toThrow()
  })

  test.each<readonly [what: string, key: string, says: RegExp]>([
    ['no PEM', 'a key', /RSA private key: it is not PEM/],
    ['a public key', publicPem, /RSA private key: it is a public key/],
    ['cut', `${privatePem.slice(0, 400)}\n-----END PRIVATE KEY-----\n`, /RSA private key is damaged/],
    ['of 1024 bits', pem(1024), /modulus has 1024 bits, allowed are 2048 to 8192 bits/],
  ])(
    '[S8-02] [S5.2-16] a private key that is %s is refused at once, not at the first payment',
    (_what, privateKey, says) => {
      expect(made({ privateKey })).toThrow(says)
      expect(made({ privateKey })).toThrow(expect.objectContaining({ code: 'BAD_KEY' }))
      expect(made({ privateKey })).toThrow(TypeError)
    },
  )

  test('a control key without a UTF-8 form is refused at once', () => {
    expect(made({ controlKey: 'a\uD800' })).toThrow(expect.objectContaining({ code: 'BAD_KEY' }))
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'a connect time-out of %s ms is refused',
    (connectTimeoutMs) => {
      expect(() => undiciTransport({ connectTimeoutMs })).toThrow(/^undiciTransport: connectTimeoutMs must be/)
    },
  )

  test('a misspelled option of the transport is refused with a TypeError that names it', () => {
    const options = { connectTimeout: 5 } as object
    expect(() => undiciTransport(options)).toThrow(
      new TypeError('undiciTransport: there is no option connectTimeout; did you mean connectTimeoutMs?'),
    )
  })

  test.each<readonly [option: string, options: object]>([
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeout', { timeout: 1 }],
    ['endpointId', { endpointId: 'x' }],
    ['endpointGroupId', { endpointGroupId: '0' }],
    ['endpointId and endpointGroupId exclude each other', { endpointId: '1', endpointGroupId: '2' }],
    ['a call: signal must be an AbortSignal', { signal: new AbortController() }],
    ['signal', { signal: null }],
    ['signal', { signal: { aborted: false } }],
    ['a call: the options must be an object', new AbortController().signal],
    ['a call: the options must be an object', Promise.resolve({ endpointId: '254' })],
  ])('of one call make it fail with a TypeError, and nothing is sent: %s', async (name, options) => {
    const fake = fakeTransport(acknowledged)
    const client = createPaymentClient({ ...valid, transport: fake })
    const order = { clientOrderId: 'A1', orderId: '6768788' }
    await expect(client.status(order, options)).rejects.toThrow(name)
    await expect(client.void(order, options)).rejects.toThrow(name)
    await expect(client.void(order, options)).rejects.toBeInstanceOf(TypeError)
    expect(fake.sent).toEqual([])
  })
})

test.each([undefined, null, 7, '{"clientOrderId":"A1","orderId":"6768788"}', [{ clientOrderId: 'A1' }]])(
  'an input that is not an object is refused for its missing fields: %j',
  async (input) => {
    const fake = fakeTransport(acknowledged)
    const client = createPaymentClient({ ...valid, transport: fake })
    const lacking = { code: 'INVALID_INPUT', issues: [{ field: 'clientOrderId' }, { field: 'orderId' }] }
    expect(await client.void(input as never)).toMatchObject({ outcome: 'notSent', error: lacking })
    expect(await client.createCardRefV4(input as never)).toMatchObject({ outcome: 'notSent', error: lacking })
    await expect(client.status(input as never)).rejects.toMatchObject({ issues: [{ field: 'clientOrderId' }] })
    expect(fake.sent).toEqual([])
  },
)

/** A part of an order, as a shop may write it: it counts in cents and passes major units. */
class Part {
  readonly clientOrderId = 'A1'
  readonly orderId = '6768788'
  readonly currency = 'EUR'
  readonly #cents = 1042
  get amount() {
    return `${Math.trunc(this.#cents / 100)}.${this.#cents % 100}`
  }
}

test.each(['return', 'capture'] as const)('%s sends the amount that a getter of its input returns', async (key) => {
  const fake = fakeTransport(acknowledged)
  await createPaymentClient({ ...valid, transport: fake })[key](new Part())
  const form = new URLSearchParams(fake.sent[0]?.body)
  expect([form.get('amount'), form.get('currency')]).toEqual(['10.42', 'EUR'])
})

describe('Options', () => {
  test.each<readonly [what: string, changes: object]>([
    ['the keys as Secrets', { controlKey: new Secret('key'), privateKey: new Secret(privatePem) }],
    ['a private key in PKCS#1', { privateKey: pkcs1Pem }],
    ['no private key', { privateKey: undefined }],
    ['a group in place of an endpoint', { endpointId: undefined, endpointGroupId: 77n }],
    ['a profile in place of an address', { baseUrl: undefined, profile: defineProfile({ baseUrl }) }],
    ['neither clock, nonce nor transport', { clock: undefined, nonce: undefined, transport: undefined }],
    ['the longest time that a timer keeps', { timeoutMs: 2_147_483_647 }],
  ])('may give %s', (_what, changes) => {
    expect(made(changes)).not.toThrow()
  })

  test('[S5.1-02] drop white space around the login, wherever it is sent or signed', async () => {
    const fake = fakeTransport(acknowledged)
    const client = createPaymentClient({ ...valid, login: ' test-login ', transport: fake })
    await client.void({ clientOrderId: 'A1', orderId: '6768788' })
    expect(fake.sent[0]?.body).toContain('login=test-login&')
    // SHA-1 of test-login, A1, 6768788 and the key, by sha1sum.
    expect(fake.sent[0]?.body).toContain('control=c2c0ef8a091ad32be1b0274d486407b5371fd3b3')
    await client.payout({ clientOrderId: 'A1', amount: '10.42', currency: 'EUR', cardNumber: '4444555566661111' })
    expect(fake.sent[1]?.body).toContain('oauth_consumer_key=test-login&')
  })

  test('[G13-07] give a call 70 s in all by default, or the time of the client or of the call', async () => {
    const fake = fakeTransport(acknowledged)
    const order = { clientOrderId: 'A1', orderId: '6768788' }
    await createPaymentClient({ ...valid, transport: fake }).void(order)
    const client = createPaymentClient({ ...valid, transport: fake, timeoutMs: 30_000 })
    const { signal } = new AbortController()
    await client.void(order)
    await client.void(order, { timeoutMs: 5, signal })
    await client.void(order, { timeoutMs: null as never })
    expect(fake.options.map(({ timeoutMs }) => timeoutMs)).toEqual([70_000, 30_000, 5, 30_000])
    expect(fake.options[2]?.signal).toBe(signal)
  })

  test('close ends the connections of the transport', async () => {
    const fake = fakeTransport(acknowledged)
    await createPaymentClient({ ...valid, transport: fake }).close()
    expect(fake.isClosed).toBe(true)
  })

  test('are not shown by printing the client', () => {
    const { transport: _fake, ...others } = valid
    const client = createPaymentClient({ ...others, privateKey: privatePem })
    const printed = [
      inspect(client, { showHidden: true, depth: null, getters: true }),
      JSON.stringify(client),
      format('%s %j %o %O', client, client, client, client),
      Object.values(client).map(String).join(),
    ].join()
    expect(printed).toContain('sale')
    expect(printed).not.toContain('D5F82EC1')
    // Within one line of the key: a line break would be printed as an escape.
    expect(printed).not.toContain(privatePem.slice(100, 140))
  })
})

test('[F-C1] every request has a User-Agent, which names the shop before the library if it is given', async () => {
  const [plain, named] = [fakeTransport(), fakeTransport()]
  await createPaymentClient({ ...merchant, baseUrl, transport: plain })
    .status({ clientOrderId: 'a' })
    .catch(() => undefined)
  const client = createPaymentClient({ ...merchant, baseUrl, transport: named, userAgent: 'shop/1.0' })
  await client.status({ clientOrderId: 'a' }).catch(() => undefined)
  await client.payout({ clientOrderId: 'a', amount: '1.00', currency: 'EUR', cardNumber: '4444555566661111' } as never)
  expect(plain.sent.map(({ headers }) => headers['user-agent'])).toEqual(['tallystick-client'])
  const agents = new Set(named.sent.map(({ headers }) => headers['user-agent']))
  expect([...agents]).toEqual(['shop/1.0 tallystick-client'])
  expect(() => createPaymentClient({ ...merchant, baseUrl, userAgent: 'a\r\nx: y' })).toThrow(
    'userAgent must be printable ASCII',
  )
})
