import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  cards,
  type StartGatewayOptions,
  saleInput,
  signedCallback,
  startGateway,
  type TestGateway,
  testControlKey,
  testKeyPair,
} from '../src/index.ts'

const open: TestGateway[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()))
})

async function start(options: StartGatewayOptions = {}): Promise<TestGateway> {
  const gateway = await startGateway(options)
  open.push(gateway)
  return gateway
}

describe('a callback that the shop refuses', () => {
  const warnings: Error[] = []
  const hear = (warning: Error) => void warnings.push(warning)
  beforeEach(() => void process.on('warning', hear))
  afterEach(() => {
    process.off('warning', hear)
    warnings.splice(0)
  })

  /** What Node has warned of by now. */
  async function warned(): Promise<readonly string[]> {
    await new Promise((resolve) => setImmediate(resolve))
    return warnings.filter(({ name }) => name === 'TestGatewayWarning').map(({ message }) => message)
  }

  const pay = async (gateway: TestGateway, serverCallbackUrl: string) => {
    await gateway.client().sale(saleInput({ serverCallbackUrl }))
    await gateway.settled()
  }

  test('is warned of once, with what to look at', async () => {
    const gateway = await start({ sendCallback: async () => ({ status: 404 }) })
    await pay(gateway, 'http://127.0.0.1:1/payments/callbak?tenant=7')
    await pay(gateway, 'http://127.0.0.1:1/payments/callbak')
    expect(await warned()).toEqual([
      expect.stringMatching(
        /^The callback of order \d+ to http:\/\/127\.0\.0\.1:1\/payments\/callbak was answered 404: is the/,
      ),
    ])
  })

  test('is told to the listener of the test instead, where it has one', async () => {
    const heard: string[] = []
    const sendCallback = async () => ({ status: 404 })
    const gateway = await start({ sendCallback, onCallback: ({ answer }) => void heard.push(answer) })
    await pay(gateway, 'http://127.0.0.1:1/payments/callback')
    expect([heard, await warned()]).toEqual([['404'], []])
  })

  test.each([200, 410, 500, 503])('is not warned of where a test may be about it: %s', async (status) => {
    const gateway = await start({ sendCallback: async () => ({ status }) })
    await pay(gateway, 'http://127.0.0.1:1/payments/callback')
    expect(await warned()).toEqual([])
  })
})

describe('a gateway inside a test', () => {
  test('[S1-01] [S1-02] takes a payment over a socket under its own base URL', async () => {
    const gateway = await start()
    const result = await gateway.client().sale(saleInput())
    expect(gateway.merchant.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/paynet$/)
    expect(result.outcome).toBe('accepted')
  })

  test.each([
    ['approved', 'approved', undefined],
    ['expired', 'declined', 'Expired card'],
    ['insufficientFunds', 'declined', 'Not sufficient funds'],
    ['notPermitted', 'declined', 'Transaction not permitted to cardholder'],
    ['stolen', 'declined', 'Pick up card, stolen'],
    ['declined', 'declined', 'Do not honour'],
    ['unknown', 'unknown', undefined],
    ['threeDs', 'processing', undefined],
  ] as const)('[G10-05] the card "%s" ends %s', async (name, status, errorMessage) => {
    const gateway = await start()
    const client = gateway.client()
    const input = saleInput(cards[name])
    await client.sale(input)
    await gateway.settled()
    const reply = await client.status({ clientOrderId: input.clientOrderId })
    expect([reply.status, reply.errorMessage]).toEqual([status, errorMessage])
  })

  test('takes the currencies that it is told, and no others', async () => {
    const client = (await start({ currencies: ['EUR'] })).client()
    expect((await client.sale(saleInput({ currency: 'EUR' }))).outcome).toBe('accepted')
    expect((await client.sale(saleInput({ currency: 'USD' }))).outcome).toBe('rejected')
  })

  test('two gateways know nothing of each other', async () => {
    const [one, two] = [await start(), await start()]
    const input = saleInput()
    await one.client().sale(input)
    await expect(two.client().status({ clientOrderId: input.clientOrderId })).rejects.toMatchObject({ errorCode: '2' })
  })

  test('closes its clients with itself', async () => {
    const gateway = await startGateway()
    const client = gateway.client()
    await client.sale(saleInput())
    await gateway.close()
    expect(await client.sale(saleInput())).toMatchObject({ outcome: 'notSent' })
  })
})

describe('what a test is given', () => {
  test('[S5.2-19] keys are made in this process: none of them can be one of production', async () => {
    expect(testControlKey()).not.toBe(testControlKey())
    expect(testKeyPair()).toBe(testKeyPair())
    expect(testKeyPair().privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/)
    const [one, two] = [await start(), await start()]
    expect(one.merchant.controlKey.reveal()).not.toBe(two.merchant.controlKey.reveal())
  })

  test('a gateway prints without its keys', async () => {
    const gateway = await start()
    const printed = inspect(gateway, { showHidden: true, depth: null })
    expect(printed).not.toContain(gateway.merchant.controlKey.reveal())
    expect(printed).not.toContain('PRIVATE KEY')
  })

  test('a sale is new each time, and begins and ends with a letter', () => {
    expect(saleInput().clientOrderId).not.toBe(saleInput().clientOrderId)
    expect(saleInput().clientOrderId).toMatch(/^[a-z].{24}[a-z]$/)
    expect(saleInput({ amount: '7.00' }).amount).toBe('7.00')
  })

  test('[G6-07] a signed callback has the control of the formula', () => {
    const query = signedCallback({ status: 'approved', orderId: '_', clientOrderId: '_' }, 'key')
    // Vector R1, published in official test suites; its string is "approved__key".
    expect(new URLSearchParams(query).get('control')).toBe('2c84ae87d73fa3dc116b3203e8bb1c133eed829d')
  })
})
