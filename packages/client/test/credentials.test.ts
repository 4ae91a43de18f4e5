import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, merchantCredentials } from '../src/index.ts'
import { fakeTransport, json } from './fake-transport.ts'
import { privatePem } from './keys.ts'
import { baseUrl, merchant } from './merchant.ts'

const approved = json({ type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' })
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
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

  test('are changed without a restart, and callbacks under the keys before are still taken', async () => {
    const { client: shop, transport } = client()
    shop.useCredentials(merchantCredentials({ login: 'test-login', controlKey: otherKey }))
    await shop.status({ clientOrderId: 'A' })
    expect(transport.sent[0]?.body).toContain(sha1(`test-loginA${otherKey}`))
    expect(shop.verifiesCallback(callback(otherKey))).toBe(true)
    expect(shop.verifiesCallback(callback(merchant.controlKey))).toBe(true)
    expect(shop.verifiesCallback(callback('neither'))).toBe(false)
  })

  test.each([
    ['texts', { login: 'other', controlKey: otherKey }],
    ['a Secret that was not imported', { login: 'other', controlKey: new Secret(otherKey) }],
    ['nothing', undefined],
    ['a text', otherKey],
  ])('that were not made are refused and change nothing: %s', async (_what, credentials) => {
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

  test('show no key, and are refused with the name of what is wrong', () => {
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
      }
    },
  )

  test('take a PEM with its newline', () => {
    expect(
      merchantCredentials({ login: 'other', controlKey: otherKey, privateKey: `${privatePem.trim()}\n` }),
    ).toBeDefined()
  })
})
