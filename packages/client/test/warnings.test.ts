import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createCallbackHandler,
  createPaymentClient,
  createThreeDsReturnHandler,
  type Exchange,
  redirectTo,
} from '../src/index.ts'
import { acknowledged, fakeTransport, json, replied } from './fake-transport.ts'
import { baseUrl, merchant } from './merchant.ts'

const rebill = { clientOrderId: 'invoice-a', cardRefId: '1326586', amount: '10.42', currency: 'EUR' }
const PRIVATE = 'is an address of a private network'

function shop({ url = baseUrl, exchange = acknowledged }: { url?: string; exchange?: Exchange } = {}) {
  const warnings: string[] = []
  const onWarning = (warning: string) => void warnings.push(warning)
  const transport = fakeTransport(exchange)
  return { warnings, client: createPaymentClient({ ...merchant, baseUrl: url, transport, onWarning }) }
}

describe('onWarning is called for what was refused', () => {
  test('a callback with a wrong control, without what looks like a card number', async () => {
    const { client, warnings } = shop()
    const handle = createCallbackHandler({ client, onOutcome: () => undefined, onNotice: 'ignore' })
    const query = `status=approved&orderid=1&client_orderid=4444555566661111&control=${'0'.repeat(40)}`
    expect((await handle({ method: 'GET', query })).status).toBe(403)
    expect(warnings).toEqual([expect.stringContaining("its control was not made with this merchant's controlKey")])
    expect(warnings[0]).not.toContain('4444555566661111')
  })

  test('a return of 3-D Secure that nobody signed', async () => {
    const { client, warnings } = shop()
    const returnUrl = 'https://shop.example.com/return'
    const handle = createThreeDsReturnHandler({ client, returnUrl, show: () => redirectTo('/') })
    expect((await handle({ method: 'POST', query: '', body: 'cres=x' })).status).toBe(400)
    expect(warnings).toEqual([expect.stringContaining('threeDs: a request to returnUrl is refused')])
  })
})

describe('onWarning is called for a private customerIp', () => {
  test.each(['127.0.0.1', '10.1.2.3', '192.168.0.9', '172.16.0.1', '172.31.9.9', '::1', '::ffff:10.0.0.7'])(
    'once: %s',
    async (customerIp) => {
      const { client, warnings } = shop()
      await client.makeRebill({ ...rebill, customerIp })
      await client.makeRebill({ ...rebill, customerIp })
      expect(warnings.filter((warning) => warning.includes(PRIVATE))).toEqual([
        expect.stringMatching(/^customerIp .*trust proxy/),
      ])
    },
  )

  test.each(['203.0.113.7', '172.32.0.1', '100.0.0.1', '192.169.0.1', '2001:db8::1', '110.1.2.3'])(
    'not for one that is public: %s',
    async (customerIp) => {
      const { client, warnings } = shop()
      await client.makeRebill({ ...rebill, customerIp })
      expect(warnings.join('')).not.toContain(PRIVATE)
    },
  )

  test('not if the gateway is on this machine', async () => {
    const { client, warnings } = shop({ url: 'http://127.0.0.1:8080/paynet' })
    await client.makeRebill({ ...rebill, customerIp: '127.0.0.1' })
    expect(warnings.join('')).not.toContain(PRIVATE)
  })
})

describe('onWarning is called for an id whose border could shift', () => {
  test('if a control signs the amount beside it', async () => {
    const { client, warnings } = shop()
    await client.makeRebill({ ...rebill, clientOrderId: '7-a' })
    expect(warnings).toEqual([expect.stringContaining('clientOrderId 7-a begins or ends with a digit')])
  })

  test('not if it begins and ends with a letter, is not a text, or OAuth signs every field', async () => {
    const { client, warnings } = shop()
    await client.makeRebill(rebill)
    await client.makeRebill({ ...rebill, clientOrderId: 7 as never })
    await client.payout({ clientOrderId: '77', amount: '10.42', currency: 'EUR' })
    expect(warnings).toEqual([])
  })
})

describe('onWarning gets an id in one line, whatever it holds', () => {
  test.each([
    ['a border that could shift', acknowledged],
    ['an alarm', replied(302, 'text/html', '')],
  ])('in %s', async (_what, exchange) => {
    const { client, warnings } = shop({ exchange })
    await client.makeRebill({ ...rebill, clientOrderId: '7\u001b[2J\nFORGED LINE' })
    expect(warnings).not.toEqual([])
    for (const warning of warnings) expect(warning).not.toMatch(/\p{Cc}/u)
  })

  test('and with a card number in it masked', async () => {
    const { client, warnings } = shop()
    await client.makeRebill({ ...rebill, clientOrderId: '4444555566661111' })
    expect(warnings[0]).toContain('begins or ends with a digit')
    expect(warnings[0]).not.toContain('4444555566661111')
  })
})

test('an onWarning that throws does not stop a payment: its error is thrown outside the call', async () => {
  const beside: Array<() => void> = []
  const microtasks = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => void beside.push(task))
  onTestFinished(() => microtasks.mockRestore())
  const onWarning = () => {
    throw new Error('the disk of the log is full')
  }
  const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(acknowledged), onWarning })
  const result = await client.makeRebill({ ...rebill, clientOrderId: 'inv4097763' })
  expect(result).toMatchObject({ outcome: 'accepted' })
  expect(beside[0]).toThrow('the disk of the log is full')
})

describe('an error of misuse says what is wanted', () => {
  test('a redirect to nothing', () => {
    expect(() => redirectTo(undefined as never)).toThrow(new TypeError('redirectTo: url must be a text'))
  })

  test.each(['baseUrl', 'login', 'endpointId'])('a setting that is not there: %s', (option) => {
    const make = () => createPaymentClient({ ...merchant, baseUrl, [option]: undefined } as never)
    expect(make).toThrow(new RegExp(`^createPaymentClient: ${option} .*; check that its setting is present$`))
  })
})

describe('a refusal with the words "Order not found"', () => {
  const exchange = json({ type: 'validation-error', 'error-message': 'Order not found' }, 400)

  test('says in a status check that the ids may be wrong or known later', async () => {
    await expect(shop({ exchange }).client.status({ clientOrderId: 'a' })).rejects.toMatchObject({
      code: 'REJECTED',
      remedy: 'Check the ids; an order that was sent a moment ago may only be known later.',
      message:
        'STATUS: the gateway refused the request: "Order not found". Check the ids; an order that was sent a moment ago may only be known later.',
    })
  })

  test('does not say so in a capture', async () => {
    const result = await shop({ exchange }).client.capture({ clientOrderId: 'a', orderId: '1' })
    expect(result).toMatchObject({
      outcome: 'rejected',
      error: { message: expect.not.stringContaining('Check the ids') },
    })
  })
})
