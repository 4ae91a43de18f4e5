import { inspect } from 'node:util'
import { createCallbackHandler, createPaymentClient, type Handler, type PaymentClient } from '@tallystick/client'
import { memoryStore } from '@tallystick/gateway'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildInput,
  callbacksTo,
  cards,
  fakeClock,
  fakeIds,
  type StartGatewayOptions,
  saleInput,
  signedCallback,
  startGateway,
  type TestGateway,
  testControlKey,
  testKeyPair,
} from '../src/index.ts'
import { UnusedScriptError } from '../src/unused-scripts.ts'
import { startedGateways } from './started-gateways.ts'

const start = startedGateways()

describe('a callback that the shop refuses', () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  beforeEach(() => void emitWarning.mockClear())
  afterAll(() => emitWarning.mockRestore())

  /** The warnings of the gateway so far. */
  const warned = () => emitWarning.mock.calls.map(([message]) => message)

  const pay = async (gateway: TestGateway, serverCallbackUrl: string) => {
    await gateway.client().sale(saleInput({ serverCallbackUrl }))
    await gateway.settled()
  }

  test('causes one warning, with advice', async () => {
    const gateway = await start({ sendCallback: async () => ({ status: 404 }) })
    await pay(gateway, 'http://127.0.0.1:1/payments/callbak?tenant=7')
    await pay(gateway, 'http://127.0.0.1:1/payments/callbak')
    expect(warned()).toEqual([
      expect.stringMatching(
        /^The callback of order \d+ to http:\/\/127\.0\.0\.1:1\/payments\/callbak was answered 404 \(is the/,
      ),
    ])
  })

  test('is passed to the listener of the test instead, if it has one', async () => {
    const heard: string[] = []
    const sendCallback = async () => ({ status: 404 })
    const gateway = await start({ sendCallback, onCallback: ({ answer }) => void heard.push(answer) })
    await pay(gateway, 'http://127.0.0.1:1/payments/callback')
    expect([heard, warned()]).toEqual([['404'], []])
  })

  test.each([500, 503])(
    'because its handler fails causes a warning, since a framework may be silent: %s',
    async (status) => {
      const gateway = await start({ sendCallback: async () => ({ status }) })
      await pay(gateway, 'http://127.0.0.1:1/payments/callback')
      expect(warned()).toEqual([
        expect.stringContaining(
          `was answered ${status} (the shop's handler failed: what did it throw?). Give startGateway`,
        ),
      ])
    },
  )

  test.each([
    ['ECONNREFUSED', 'does the shop listen there?'],
    ['ENOTFOUND', 'is the name of the host spelt right?'],
    ['ECONNRESET', 'did the shop stop, or its handler break off?'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'no authority that Node knows has signed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does the shop speak TLS there'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "the shop's certificate is of another host name"],
  ])('or that does not arrive causes a warning: %s', async (code, advice) => {
    const sendCallback = () => Promise.reject(Object.assign(new Error('no connection'), { code }))
    const gateway = await start({ sendCallback })
    await pay(gateway, 'http://127.0.0.1:1/payments/callback')
    expect(warned()).toEqual([expect.stringContaining(`could not be delivered: ${code} (${advice}`)])
  })

  const broken = new Error('the table is locked')
  test.each([
    ['a handler of its own', 500, () => () => Promise.reject(broken)],
    [
      'onOutcome',
      503,
      (client) => createCallbackHandler({ client, onOutcome: () => Promise.reject(broken), onNotice: 'ignore' }),
    ],
    ['the inbox', 503, (client) => createCallbackHandler({ client, inbox: { receive: () => Promise.reject(broken) } })],
  ] satisfies [string, number, (client: PaymentClient) => Handler][])(
    'because %s throws causes a warning without a socket too, with the status of an app: %i',
    async (_what, status, handlerOf) => {
      const sendCallback = callbacksTo((inbound) => handler(inbound))
      const gateway = await start({ socket: false, sendCallback })
      const handler = handlerOf(gateway.client())
      await pay(gateway, 'https://shop.example.com/payments/callback')
      expect(warned()).toEqual([
        expect.stringContaining(`was answered ${status} (the shop's handler failed: what did it throw?)`),
      ])
    },
  )

  test.each([200, 410])('causes no warning if a test may intend the answer: %s', async (status) => {
    const gateway = await start({ sendCallback: async () => ({ status }) })
    await pay(gateway, 'http://127.0.0.1:1/payments/callback')
    expect(warned()).toEqual([])
  })
})

describe('a seed that was made up', () => {
  test('is printed once for each gateway, so that the run can be replayed', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    const { faults } = await start({ faults: { only: ['overloaded'] } })
    await start({ faults: { seed: 4711 } })
    await start()
    const message = expect.stringContaining(
      `the seed ${faults.seed}: faults: { seed: ${faults.seed} } replays this run`,
    )
    const detail = 'https://tallystick.github.io/tallystick/errors/testing.html#fault_seed'
    const told = [message, { type: 'TestGatewayWarning', code: 'FAULT_SEED', detail }]
    expect(emitWarning.mock.calls).toEqual([told])
    emitWarning.mockRestore()
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

  test('accepts the given currencies, and no others', async () => {
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

  test('with the store, the port and the key of another one goes on with its orders, and calls back about them', async () => {
    const [store, clock, controlKey] = [memoryStore(), fakeClock(), testControlKey()]
    const statuses: number[] = []
    const called: string[] = []
    const sendCallback = async (url: string) => {
      called.push(url)
      return { status: statuses.shift() ?? 503 }
    }
    const options: StartGatewayOptions = { store, clock, controlKey, sendCallback, onCallback: () => {} }
    const first = await start(options)
    const input = saleInput({ serverCallbackUrl: 'https://shop.example.com/callback' })
    await first.client().sale(input)
    await first.settled()
    const shop = createPaymentClient({ ...first.merchant, clock })
    await first.close()
    expect(await shop.sale(saleInput())).toMatchObject({ outcome: 'notSent' })
    statuses.push(200)
    await clock.advance('1d')
    const second = await start({ ...options, port: Number(new URL(first.merchant.baseUrl).port) })
    await second.settled()
    expect(await shop.status({ clientOrderId: input.clientOrderId })).toMatchObject({ status: 'approved' })
    expect(called).toEqual([called[0], called[0]])
    await shop.close()
  })

  test('charges a card that an earlier one has in its store', async () => {
    const [store, controlKey] = [memoryStore(), testControlKey()]
    const first = await start({ store, controlKey, socket: false })
    const { clientOrderId } = saleInput()
    await first.client().sale(saleInput({ clientOrderId }))
    await first.settled()
    const { orderId } = await first.client().status({ clientOrderId })
    const stored = await first.client().createCardRef({ clientOrderId, orderId: String(orderId) })
    await first.close()
    const cardRefId = (stored.outcome === 'accepted' && stored.reply.cardRefId) || ''
    const second = await start({ store, controlKey, socket: false })
    const rebill = buildInput('makeRebill', { cardRefId })
    expect(await second.client().makeRebill(rebill)).toMatchObject({ outcome: 'accepted' })
    await second.settled()
    const { clientOrderId: rebilled } = rebill
    expect(await second.client().status({ clientOrderId: rebilled })).toMatchObject({ status: 'approved' })
  })

  test('can have the same orders in every run, for snapshots', async () => {
    const run = async () => {
      const calledBack: string[] = []
      const sendCallback = async (url: string) => {
        calledBack.push(url)
        return { status: 200 }
      }
      const fixed = { clock: fakeClock(), ids: fakeIds(), controlKey: 'the key of a test' }
      const gateway = await start({ ...fixed, socket: false, sendCallback })
      const serverCallbackUrl = 'https://shop.example.com/callback'
      const form = await gateway
        .client()
        .saleForm(buildInput('saleForm', { clientOrderId: 'invoice-1', serverCallbackUrl }))
      await gateway.payOnPages(form.outcome === 'accepted' ? form.reply.redirectUrl : '', cards.approved)
      await gateway.client().sale(saleInput({ clientOrderId: 'invoice-2', serverCallbackUrl }))
      await gateway.settled()
      return { orders: await gateway.orders(), calledBack }
    }
    const first = await run()
    expect(first.orders.map(({ orderId }) => orderId)).toEqual(['100000000000002', '100000000000001'])
    expect(await run()).toEqual(first)
  })

  test('closes its clients when it is closed', async () => {
    const gateway = await startGateway()
    const client = gateway.client()
    await client.sale(saleInput())
    await gateway.close()
    expect(await client.sale(saleInput())).toMatchObject({ outcome: 'notSent' })
  })
})

describe('what a test gets', () => {
  test('[S5.2-19] keys are created in this process, so none can be a production key', async () => {
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

describe.each([true, false])('a gateway whose socket is %s', (socket) => {
  test('may be closed more than once', async () => {
    const gateway = await startGateway({ socket })
    await Promise.all([gateway.close(), gateway.close()])
    await expect(gateway.close()).resolves.toBeUndefined()
  })

  test('is verified at the end of its block, even if the test has closed it', async () => {
    const gateway = await startGateway({ socket })
    gateway.next('sale').loseReplyAfterCommit()
    await gateway.close()
    await expect(gateway[Symbol.asyncDispose]()).rejects.toThrow(UnusedScriptError)
  })
})

test('a gateway that cannot be closed is still verified', async () => {
  const store = Object.assign(memoryStore(), { close: () => Promise.reject(new Error('the disk is away')) })
  const gateway = await startGateway({ socket: false, store })
  gateway.next('sale').loseReplyAfterCommit()
  await expect(gateway[Symbol.asyncDispose]()).rejects.toThrow(UnusedScriptError)
})

test.each([true, false])('a client of a gateway with a profile follows it (socket: %s)', async (socket) => {
  // The yen has no decimals (ISO 4217), but by the specification every amount has two.
  const yen = { amount: '100', currency: 'JPY' }
  const gateway = await start({ socket, profile: { exponents: 'iso-4217' } })
  const input = saleInput(yen)
  expect(await gateway.client().sale(input)).toMatchObject({ outcome: 'accepted' })
  await gateway.settled()
  expect(await gateway.order(input.clientOrderId)).toMatchObject({ status: 'approved', ...yen })
})

test('[F-E44] opens the workbench if it is asked to, says where, and closes it', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const gateway = await start({ workbench: true })
  const said = write.mock.calls.map(([text]) => String(text))
  write.mockRestore()
  const address = gateway.workbench ?? ''
  expect(said).toEqual([`The workbench of this gateway: ${address}\n`])
  await gateway.client().sale(saleInput({ clientOrderId: 'inv-7' }))
  const { origin, searchParams } = new URL(address)
  expect((await fetch(address)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  const recorded = (headers: Record<string, string>) => fetch(`${origin}/__sandbox/recording`, { headers })
  expect((await recorded({})).status).toBe(401)
  const events = await recorded({ authorization: `Bearer ${searchParams.get('token')}` })
  expect(await events.text()).toContain('inv-7')
  await gateway.close()
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})
