import { createCallbackHandler, toFetchHandler } from '@tallystick/client'
import { createSandbox, listen } from '@tallystick/gateway'
import { cards, saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SentRequest } from '../../src/world.ts'
import { KEY, tryCommand } from '../try-command.ts'

describe('trigger callback', () => {
  const order = ['client_orderid=a1', 'orderid=17', 'amount=10.42', 'currency=USD']
  const args = ['trigger', 'callback', '--url', 'https://shop.example/callbacks', '--key-file', 'control.key', ...order]

  /** A shop that answers as it is told, or as its handler does. */
  function shop(answer: (url: string) => number | Promise<number>) {
    const got: string[] = []
    const send = async ({ url }: SentRequest) => {
      got.push(url)
      return { status: await answer(url), statusText: 'Said', body: 'words', milliseconds: 3 }
    }
    return { got, send }
  }

  test('is signed so that a shop takes it', async () => {
    const gateway = await startGateway({ socket: false })
    const taken: unknown[] = []
    const receive = async (callback: unknown) => {
      taken.push(callback)
      return 'stored' as const
    }
    const handler = createCallbackHandler({ client: gateway.client(), inbox: { receive } })
    const fetchHandler = toFetchHandler(handler)
    const { send } = shop(async (url) => (await fetchHandler(new Request(url))).status)
    const files = { 'own.key': gateway.merchant.controlKey.reveal() }
    const own = args.map((arg) => (arg === 'control.key' ? 'own.key' : arg))
    expect((await tryCommand(own, files, { send })).code).toBe(0)
    expect(taken).toEqual([
      expect.objectContaining({ status: 'approved', clientOrderId: 'a1', orderId: '17', amount: '10.42' }),
    ])
    expect((await tryCommand([...own, '--forged'], files, { send })).code).toBe(0)
    expect((await tryCommand(args, files, { send })).code).toBe(1)
    await gateway.close()
  })

  test('shows what it sent and what came back', async () => {
    const { send } = shop(() => 200)
    const { printed } = await tryCommand([...args, 'status=declined'], {}, { send })
    expect(printed).toMatch(
      /^GET https:\/\/shop.example\/callbacks\?merchant_order=a1&status=declined&client_orderid=a1&/,
    )
    expect(printed).toContain('\n200 Said after 3 ms: words\n')
    expect(printed).not.toContain(KEY)
  })

  test('keeps the query of the address', async () => {
    const { got, send } = shop(() => 200)
    await tryCommand([...args, '--url', 'https://shop.example/cb?tenant=5#top'], {}, { send })
    expect(got).toEqual([expect.stringMatching(/^https:\/\/shop.example\/cb\?tenant=5&merchant_order=a1&/)])
  })

  test('comes as often as asked, at once', async () => {
    let [open, most] = [0, 0]
    const { got, send } = shop(async () => {
      most = Math.max(most, ++open)
      await Promise.resolve()
      open--
      return 200
    })
    const { printed } = await tryCommand([...args, '--times', '3'], {}, { send })
    expect([got.length, most]).toEqual([3, 3])
    expect(printed.match(/200 Said/g)).toHaveLength(3)
  })

  test('fails if the shop takes a forged one, or does not take a right one', async () => {
    const forged = await tryCommand([...args, '--forged'], {}, { send: shop(() => 200).send })
    expect(forged).toMatchObject({ code: 1, warned: ['a forged callback must be refused'] })
    const right = await tryCommand(args, {}, { send: shop(() => 500).send })
    expect(right).toMatchObject({ code: 1, warned: ['a callback must be answered with 200'] })
  })

  test.each([404, 405, 407, 429])(
    'takes no %i for a refusal: it is no word of the shop about the callback',
    async (status) => {
      const forged = await tryCommand([...args, '--forged'], {}, { send: shop(() => status).send })
      expect(forged).toMatchObject({ code: 1, warned: ['a forged callback must be refused'] })
    },
  )

  test.each([500, 503])('takes no %i for a refusal: the shop failed', async (status) => {
    const forged = await tryCommand([...args, '--forged', '--times', '2'], {}, { send: shop(() => status).send })
    const says = `the shop failed with ${status}: a forged callback must be refused, with a 4xx such as 403`
    expect(forged).toMatchObject({ code: 1, warned: [says] })
  })

  test('remarks on fields that it does not know, and sends them', async () => {
    const { got, send } = shop(() => 200)
    const { warned } = await tryCommand([...args, 'amuont=1', 'tenant=5'], {}, { send })
    expect(warned).toEqual([
      'amuont is no documented field of callbacks: did you mean amount?',
      'tenant is no documented field of callbacks: it is sent as it is',
    ])
    expect(got).toEqual([expect.stringContaining('&amuont=1&tenant=5&control=')])
  })

  test('says why there was no answer', async () => {
    const closed = await listen(async () => ({ status: 200, headers: {}, body: '' }))
    await closed.close()
    const { code, printed } = await tryCommand([...args, '--url', closed.origin])
    expect(code).toBe(1)
    expect(printed).toMatch(/\nno answer: .*ECONNREFUSED/)
  })

  test('says why there was no answer, if several addresses were tried or the port has no TLS', async () => {
    const open = await listen(async () => ({ status: 200, headers: {}, body: '' }))
    onTestFinished(open.close)
    const https = await tryCommand([...args, '--url', open.origin.replace('http:', 'https:')])
    expect(https.printed).toMatch(/\nno answer: ERR_SSL_WRONG_VERSION_NUMBER\n$/)
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect((await tryCommand(args)).printed).toMatch(/\nno answer: ECONNREFUSED\n$/)
  })

  test.each([
    [['trigger'], 'EVENT is missing: what is to happen: callback, chargeback'],
    [['trigger', 'chargebak'], 'there is no event chargebak: did you mean chargeback?'],
    [['trigger', 'callback', ...order], '--url is missing'],
    [['trigger', 'callback', ...order, '--url', '/cb'], '--url takes an absolute address'],
    [args.filter((arg) => !arg.startsWith('client_orderid')), 'client_orderid is missing'],
    [args.filter((arg) => !arg.startsWith('orderid')), 'orderid is missing'],
    [args.filter((arg) => !arg.includes('key')), 'the control key is missing'],
    [[...args, 'control=0'], 'control is made by this command: --forged makes a wrong one'],
    [[...args, '--times', '0'], '--times takes a number from 1 to 100'],
    [[...args, '--amount', '5.00'], '--amount belongs to chargeback, not to callback'],
    [
      [...args, '--sandbox', 'http://127.0.0.1:9'],
      '--sandbox belongs to chargeback, resend, fault, advance, reset, not',
    ],
    [['trigger', 'reset', '--client-order-id', 'a'], '--client-order-id belongs to fault, not to reset'],
    [['trigger', 'advance', '1d', '--forged'], '--forged belongs to callback, not to advance'],
    [['trigger', 'fault'], 'NAME is missing: the fault: reply-lost-before-commit, '],
    [
      ['trigger', 'fault', 'slow-replies', '--operation', 'sale'],
      'there is no fault slow-replies: did you mean slow-reply?',
    ],
    [['trigger', 'fault', 'slow-reply'], 'say what goes wrong: --operation KEY, '],
    [['trigger', 'fault', 'slow-reply', '--operation', 'sale', '--client-order-id', 'a'], 'exclude each other'],
  ])('refuses %j', async (wrong, says) => {
    await expect(tryCommand(wrong, {}, { send: shop(() => 200).send })).rejects.toThrow(says)
  })
})

describe('trigger, in a sandbox', () => {
  let gateway: TestGateway
  let sandbox: Awaited<ReturnType<typeof listen>>

  beforeEach(async () => {
    gateway = await startGateway({ socket: false })
    sandbox = await listen(createSandbox(gateway))
  })
  afterEach(async () => {
    await sandbox.close()
    await gateway.close()
  })

  const trigger = async (...args: readonly string[]) =>
    await tryCommand(['trigger', ...args, '--sandbox', sandbox.origin])

  async function paid(clientOrderId: string): Promise<string> {
    const client = gateway.client()
    const sale = await client.sale(saleInput({ ...cards.approved, clientOrderId, amount: '10.42' }))
    if (sale.outcome !== 'accepted') throw new Error(sale.outcome)
    await gateway.settled()
    return sale.reply.orderId
  }

  test('charges an order back, named by either id', async () => {
    const orderId = await paid('order-a')
    expect((await trigger('chargeback', 'order-a', '--amount', '5.00')).code).toBe(0)
    expect(await gateway.order('order-a')).toMatchObject({ amount: '5.42' })
    expect((await trigger('chargeback', orderId)).code).toBe(0)
    expect(await gateway.order('order-a')).toMatchObject({ amount: '0.00' })
  })

  test('passes on why the sandbox refuses', async () => {
    await paid('order-a')
    await trigger('chargeback', 'order-a')
    await expect(trigger('chargeback', 'order-a', '--amount', '1.00')).rejects.toThrow(/^the sandbox refused it: /)
    await expect(trigger('chargeback', 'order-b')).rejects.toThrow('the sandbox has no order order-b')
    await expect(trigger('chargeback', '123456789012345')).rejects.toThrow('there is no order of this id')
    await expect(trigger('fault', 'three-ds-abandoned', '--operation', 'reset-all')).rejects.toThrow(
      'there is no operation',
    )
    await expect(trigger('advance', 'soon')).rejects.toThrow('duration')
  })

  test('lists the orders that have one id of the shop', async () => {
    const repeating = await startGateway({ socket: false, allowRepeats: true })
    const port = await listen(createSandbox(repeating))
    const sell = async () =>
      await repeating.client().sale(saleInput({ ...cards.approved, clientOrderId: 'order-a', amount: '10.42' }))
    const ids = [await sell(), await sell()].map((sale) => (sale.outcome === 'accepted' ? sale.reply.orderId : ''))
    await repeating.settled()
    const wrong = tryCommand(['trigger', 'chargeback', 'order-a', '--sandbox', port.origin])
    await expect(wrong).rejects.toThrow(/^the sandbox has more than one order order-a: name it by its first id\n/)
    for (const id of ids) await expect(wrong).rejects.toThrow(new RegExp(`\\n {2}${id} {2}20.*Z {2}approved`))
    await port.close()
    await repeating.close()
  })

  test('has callbacks sent again', async () => {
    await paid('order-a')
    expect((await trigger('resend', 'order-a')).printed).toContain('"callbacks": 0')
  })

  test('asks for a fault, of an operation or of an order', async () => {
    await trigger('fault', 'slow-reply', '--operation', 'sale-form')
    await trigger('fault', 'callback-twice', '--client-order-id', 'order-b')
    expect(gateway.faults.list()).toMatchObject({
      next: [{ operation: 'saleForm', fault: 'slow-reply' }],
      orders: [{ clientOrderId: 'order-b', fault: 'callback-twice' }],
    })
    gateway.faults.clear()
  })

  test('lets time pass, and forgets', async () => {
    const before = gateway.clock.now()
    expect((await trigger('advance', '14d')).code).toBe(0)
    expect(gateway.clock.now() - before).toBeGreaterThanOrEqual(14 * 86_400_000)
    await paid('order-a')
    await trigger('reset')
    expect(await gateway.orders()).toEqual([])
  })

  test('does nothing if more is named than it takes', async () => {
    await paid('order-a')
    await expect(trigger('reset', 'order-a')).rejects.toThrow('order-a is too much: it is tallystick trigger reset')
    await expect(trigger('chargeback', 'order-a', '5.00')).rejects.toThrow('5.00 is too much')
    expect(await gateway.order('order-a')).toMatchObject({ amount: '10.42' })
  })

  test('says that it found no sandbox, but another service', async () => {
    const other = await listen(async () => ({ status: 200, headers: {}, body: '{}' }))
    const wrong = tryCommand(['trigger', 'chargeback', 'order-a', '--sandbox', other.origin])
    await expect(wrong).rejects.toThrow(`what answers at ${other.origin} is no sandbox`)
    await other.close()
  })

  test.each([
    ['a page', '<html>', 200],
    ['the port for merchants', '{"type":"validation-error"}', 404],
    ['a proxy that wants a login', '<h1>Unauthorized</h1>', 401],
    ['a login in JSON', '{"message":"Unauthorized"}', 401],
  ])('says that it found no sandbox, but %s', async (_, body, status) => {
    const other = await listen(async () => ({ status, headers: {}, body }))
    for (const event of [
      ['advance', '1d'],
      ['chargeback', 'order-a'],
    ]) {
      const wrong = tryCommand(['trigger', ...event, '--sandbox', other.origin])
      await expect(wrong).rejects.toThrow(`what answers at ${other.origin} is no sandbox`)
    }
    await other.close()
  })

  test('says where it looked for a sandbox', async () => {
    const { origin, close } = await listen(createSandbox(gateway))
    await close()
    const nowhere = tryCommand(['trigger', 'reset', '--sandbox', origin])
    await expect(nowhere).rejects.toThrow(`no sandbox answers at ${origin}: `)
    await expect(tryCommand(['trigger', 'reset', '--sandbox', 'here'])).rejects.toThrow('such as http://127.0.0.1:9465')
    await expect(trigger('chargeback')).rejects.toThrow('ORDER is missing')
    await expect(trigger('advance')).rejects.toThrow('TIME is missing')
    await expect(trigger('fault')).rejects.toThrow('NAME is missing')
  })
})
