import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, merchantCredentials } from '../src/index.ts'
import { steppedClock } from './clocks.ts'
import { fakeTransport, json, lost } from './fake-transport.ts'
import { privatePem } from './keys.ts'
import { baseUrl, merchant } from './merchant.ts'
import { operations } from './operations.ts'

const approved = json({ type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' })
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
const processing = json({ type: 'status-response', status: 'processing', 'paynet-order-id': '6768788' })
const thirdKey = 'A6C1F0E2-51B3-4E7C-8B1D-2F9C0D3E4A5B'
const otherKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

function client() {
  const transport = fakeTransport(approved)
  return { transport, client: createPaymentClient({ ...merchant, baseUrl, transport }) }
}

function callback(key: string) {
  const control = sha1(`approved1A${key}`)
  return { status: 'approved', orderId: '1', clientOrderId: 'A', control, extra: {} }
}

describe('Credentials', () => {
  test('of another merchant sign one call, and the next is signed by the client’s own', async () => {
    const { client: shop, transport } = client()
    const credentials = merchantCredentials({ login: 'other', controlKey: otherKey })
    await shop.status({ clientOrderId: 'A' }, { credentials })
    await shop.status({ clientOrderId: 'A' })
    expect(transport.sent.map(({ body }) => body)).toEqual([
      `login=other&client_orderid=A&control=${sha1(`otherA${otherKey}`)}`,
      `login=test-login&client_orderid=A&control=${sha1(`test-loginA${merchant.controlKey}`)}`,
    ])
  })

  test('with more members, such as a merchant’s record, are used only for their credentials', async () => {
    const { client: shop, transport } = client()
    const verification = operations.find(({ key }) => key === 'accountVerification')
    const record = {
      ...merchantCredentials({ login: 'other', controlKey: otherKey }),
      endpoint: { id: '9', isGroup: false },
      profile: {},
    }
    await verification?.send(shop, { credentials: record })
    shop.useCredentials(record)
    await verification?.send(shop)
    const control = sha1(`253902B4FF5john.smith@gmail.com${otherKey}`)
    const ofOurEndpoint = { url: `${baseUrl}/api/v2/account-verification/253`, control }
    const sent = transport.sent.map(({ url, body }) => ({ url, control: new URLSearchParams(body).get('control') }))
    expect(sent).toEqual([ofOurEndpoint, ofOurEndpoint])
  })

  test('can be changed without a restart, and callbacks under the previous keys are still accepted', async () => {
    const { client: shop, transport } = client()
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: otherKey }))
    await shop.status({ clientOrderId: 'A' })
    expect(transport.sent[0]?.body).toContain(sha1(`test-loginA${otherKey}`))
    expect(shop.verifiesCallback(callback(otherKey))).toBe(true)
    expect(shop.verifiesCallback(callback(merchant.controlKey))).toBe(true)
    expect(shop.verifiesCallback(callback('neither'))).toBe(false)
  })

  test('that are unchanged, as when a setting is read again, leave the previous keys in force', () => {
    const { client: shop } = client()
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: otherKey }))
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: otherKey, privateKey: privatePem }))
    expect(shop.verifiesCallback(callback(otherKey))).toBe(true)
    expect(shop.verifiesCallback(callback(merchant.controlKey))).toBe(true)
  })

  test('sign the later status requests of an unknown outcome and of a wait, once they are changed', async () => {
    const transport = fakeTransport(lost, approved, processing, approved)
    const clock = steppedClock()
    const shop = createPaymentClient({ ...merchant, baseUrl, transport, clock })
    const result = await shop.void({ clientOrderId: 'A', orderId: '6768788' }, { endpointId: '7' })
    if (result.outcome !== 'unknown') throw new Error(`the outcome is ${result.outcome}`)
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: otherKey }))
    await result.resolve()
    const outcome = shop.waitForOutcome({ clientOrderId: 'A' })
    await clock.advance(0)
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: thirdKey }))
    await clock.advance(5000)
    expect(await outcome).toMatchObject({ outcome: 'approved' })
    expect(transport.sent.map(({ body }) => body.slice(-40))).toEqual([
      sha1(`test-loginA6768788${merchant.controlKey}`),
      sha1(`test-loginA6768788${otherKey}`),
      sha1(`test-loginA${otherKey}`),
      sha1(`test-loginA${thirdKey}`),
    ])
    expect(transport.sent[1]?.url).toMatch(/\/status\/7$/)
  })

  test('of another merchant also sign the status request of their unknown outcome', async () => {
    const transport = fakeTransport(lost, approved)
    const shop = createPaymentClient({ ...merchant, baseUrl, transport })
    const credentials = merchantCredentials({ login: 'other', controlKey: otherKey })
    const result = await shop.void({ clientOrderId: 'A', orderId: '6768788' }, { credentials })
    if (result.outcome !== 'unknown') throw new Error(`the outcome is ${result.outcome}`)
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: thirdKey }))
    await result.resolve()
    expect(transport.sent[1]?.body).toContain(`control=${sha1(`otherA6768788${otherKey}`)}`)
  })

  test.each([
    ['texts', { login: 'other', controlKey: otherKey }],
    ['a Secret that was not imported', { login: 'other', controlKey: new Secret(otherKey) }],
    ['nothing', undefined],
    ['null', null],
    ['a text', otherKey],
  ])('that merchantCredentials did not make are refused and change nothing: %s', async (_what, credentials) => {
    const { client: shop, transport } = client()
    const told = 'must be what merchantCredentials({ login, controlKey, privateKey }) gives'
    expect(() => shop.useCredentials(credentials as never)).toThrow(
      new TypeError(`useCredentials: credentials ${told}`),
    )
    if (credentials !== undefined) {
      const options = { credentials: credentials as never }
      await expect(shop.status({ clientOrderId: 'A' }, options)).rejects.toThrow(
        new TypeError(`a call: credentials ${told}`),
      )
    }
    await shop.status({ clientOrderId: 'A' })
    expect(transport.sent.map(({ body }) => body)).toEqual([
      `login=test-login&client_orderid=A&control=${sha1(`test-loginA${merchant.controlKey}`)}`,
    ])
    expect(shop.verifiesCallback(callback(merchant.controlKey))).toBe(true)
  })

  test('of another merchant verify their callbacks, and no others', () => {
    const { client: shop } = client()
    const credentials = merchantCredentials({ login: 'other', controlKey: otherKey })
    expect(shop.verifiesCallback(callback(otherKey), { credentials })).toBe(true)
    expect(shop.verifiesCallback(callback(merchant.controlKey), { credentials })).toBe(false)
    expect(shop.verifiesCallback(callback(otherKey))).toBe(false)
    const texts = { login: 'other', controlKey: otherKey } as never
    expect(() => shop.verifiesCallback(callback(otherKey), { credentials: texts })).toThrow(
      new TypeError(
        'verifiesCallback: credentials must be what merchantCredentials({ login, controlKey, privateKey }) gives',
      ),
    )
  })

  test('show no key, and are refused with the name of the wrong option', () => {
    const credentials = merchantCredentials({ login: 'other', controlKey: otherKey })
    expect(inspect(credentials) + JSON.stringify(credentials)).not.toContain(otherKey)
    expect(() => merchantCredentials({ login: 'other', controlKey: '' })).toThrow('controlKey')
    expect(() => merchantCredentials({ login: '', controlKey: otherKey })).toThrow('login')
    expect(() => merchantCredentials({ login: 'other', controlkey: otherKey } as never)).toThrow('controlkey')
  })

  test.each([`${otherKey}\n`, `${otherKey}\r\n`, ` ${otherKey}`, `\uFEFF${otherKey}`])(
    'of a key with white space at an end are refused, without the key in the message: %j',
    (controlKey) => {
      const makes = [
        () => merchantCredentials({ login: 'other', controlKey }),
        () => merchantCredentials({ login: 'other', controlKey: new Secret(controlKey) }),
        () => createPaymentClient({ ...merchant, baseUrl, controlKey }),
      ]
      for (const make of makes) {
        expect(make).toThrow(TypeError)
        expect(make).toThrow(/^\w+: controlKey begins or ends with white space.*trim\(\)$/)
        expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining(otherKey) }))
      }
    },
  )

  test('take a private key in PEM that ends with a newline', () => {
    expect(
      merchantCredentials({ login: 'other', controlKey: otherKey, privateKey: `${privatePem.trim()}\n` }),
    ).toBeDefined()
  })
})
