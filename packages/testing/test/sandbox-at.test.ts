import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPaymentClient } from '@tallystick/client'
import { createGateway, createSandbox, listen } from '@tallystick/gateway'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { directTransport } from '../src/gateway/direct-transport.ts'
import {
  assertApproved,
  assertBalanced,
  assertChargedOnce,
  cards,
  fakeClock,
  saleInput,
  sandboxAt,
} from '../src/index.ts'
import { startedGateways } from './started-gateways.ts'

const start = startedGateways()

afterEach(() => vi.unstubAllGlobals())

/** A gateway whose sandbox has a port, as the command's has, and the sandbox as a test in another process sees it. */
async function remote(options: Parameters<typeof start>[0] = {}) {
  const gateway = await start({ clock: fakeClock(), sendCallback: async () => ({ status: 200 }), ...options })
  const { origin, close } = await listen(createSandbox(gateway), { port: 0, lingerMs: 0 })
  onTestFinished(close)
  return { gateway, client: gateway.client(), origin, sandbox: sandboxAt(origin) }
}

/** A port where something else answers. */
async function stranger(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('orders', () => {
  test('are shown as the gateway in the process shows them, and the assertions take them', async () => {
    const { gateway, client, sandbox } = await remote()
    const sale = saleInput({ amount: '10.42', currency: 'USD' })
    await client.sale(sale)
    await sandbox.settled()
    const order = await sandbox.order(sale.clientOrderId)
    expect(order).toEqual(JSON.parse(JSON.stringify(await gateway.order(sale.clientOrderId))))
    assertApproved(order)
    assertChargedOnce(await sandbox.orders(), { amount: '10.42', currency: 'USD' })
    assertBalanced(await sandbox.orders())
  })

  test('are as many as were asked for, the last changed first', async () => {
    const { client, sandbox } = await remote()
    for (const clientOrderId of ['invoice-1', 'invoice-2']) {
      await client.sale(saleInput({ clientOrderId }))
      await sandbox.settled()
      await sandbox.clock.advance('1s')
    }
    expect((await sandbox.orders()).map((order) => order.clientOrderId)).toEqual(['invoice-2', 'invoice-1'])
    expect((await sandbox.orders({ limit: 1 })).map((order) => order.clientOrderId)).toEqual(['invoice-2'])
  })

  test('are all that a sandbox lists unless fewer were asked for', async () => {
    const asked: unknown[] = []
    vi.stubGlobal('fetch', async (_url: string, { body }: { readonly body: string }) => {
      asked.push(JSON.parse(body))
      return Response.json({ orders: [] })
    })
    const sandbox = sandboxAt()
    await sandbox.orders()
    await sandbox.orders({ limit: undefined })
    await sandbox.orders({ clientOrderId: 'invoice-112', limit: 7 })
    expect(asked).toEqual([{ limit: 1000 }, { limit: 1000 }, { clientOrderId: 'invoice-112', limit: 7 }])
  })

  test('of another merchant are not shown', async () => {
    const { client, origin } = await remote()
    const sale = saleInput()
    await client.sale(sale)
    expect(await sandboxAt(origin, { login: 'test-merchant' }).orders()).toHaveLength(1)
    expect(await sandboxAt(origin, { login: 'other' }).orders()).toEqual([])
  })

  test('that there are not are named', async () => {
    const { sandbox } = await remote()
    await expect(sandbox.order('invoice-112')).rejects.toThrow(
      'The sandbox has no order invoice-112: nothing of it arrived, or it was refused',
    )
  })

  test.for([
    [undefined, 'undefined'],
    ['', 'an empty one'],
  ] as const)('without an id are not asked for: %j', async ([id, shown]) => {
    const sandbox = sandboxAt('http://127.0.0.1:1')
    const wrong = `the client order id must be a text, not ${shown}`
    await expect(sandbox.order(id as string)).rejects.toThrow(`sandbox.order: ${wrong}`)
    expect(() => sandbox.forOrder(id as string)).toThrow(`sandbox.forOrder: ${wrong}`)
  })

  test('are gone after a reset', async () => {
    const { client, sandbox } = await remote()
    await client.sale(saleInput())
    await sandbox.reset()
    expect(await sandbox.orders()).toEqual([])
  })
})

describe('faults', () => {
  test('strike the next request of an operation, or one order', async () => {
    const { client, sandbox } = await remote()
    await sandbox.next('sale').refuseAsOverloaded()
    expect((await client.sale(saleInput())).outcome).toBe('unknown')
    const struck = saleInput()
    await sandbox.forOrder(struck.clientOrderId).beUnknownThenDeclined()
    await client.sale(struck)
    await sandbox.settled()
    expect((await sandbox.order(struck.clientOrderId)).status).toBe('unknown')
    await sandbox.clock.advance('1m')
    expect((await sandbox.order(struck.clientOrderId)).status).toBe('declined')
    expect((await sandbox.faults()).struck.map(({ fault }) => fault)).toEqual(['overloaded', 'unknown-then-declined'])
    await sandbox.verify()
  })

  test('that nothing met fail the test, as it wrote them', async () => {
    const { client, sandbox } = await remote()
    const sale = saleInput()
    await client.sale(sale)
    await sandbox.settled()
    await sandbox.next('capture').loseReplyAfterCommit()
    await sandbox.forOrder(sale.clientOrderId).truncateReply()
    await sandbox.forOrder(sale.clientOrderId).callBackTwice()
    await expect(sandbox.verify()).rejects.toMatchObject({
      name: 'UnusedScriptError',
      leftovers: [
        "sandbox.next('capture').loseReplyAfterCommit()",
        `sandbox.forOrder('${sale.clientOrderId}').truncateReply()`,
      ],
    })
  })

  test('that there are not, and unknown operations, are refused before anything is sent', async () => {
    const sandbox = sandboxAt('http://127.0.0.1:1')
    expect(() => sandbox.next('sail' as 'sale')).toThrow('sandbox.next: there is no operation sail; did you mean sale?')
    // @ts-expect-error: there is no such fault
    expect(() => sandbox.next('sale').looseReply()).toThrow("sandbox.next('sale'): there is no looseReply")
  })

  test('that do not fit the operation are refused by the sandbox', async () => {
    const { sandbox } = await remote()
    // @ts-expect-error: this operation names no order, so there is none that could have callbacks
    const asked = sandbox.next('getCardInfo').callBackTwice()
    await expect(asked).rejects.toThrow('The sandbox refused it: fault: getCardInfo names no order')
  })
})

describe('time', () => {
  test('is told, and advances', async () => {
    const { gateway, sandbox } = await remote()
    const before = gateway.clock.now()
    expect(await sandbox.clock.now()).toBe(before)
    await sandbox.clock.advance('14d')
    expect(gateway.clock.now() - before).toBe(14 * 86_400_000)
  })

  test('that is none is refused', async () => {
    const { sandbox } = await remote()
    // @ts-expect-error: no duration
    await expect(sandbox.clock.advance('soon')).rejects.toThrow(
      'The sandbox refused it: duration: must be milliseconds',
    )
  })
})

describe('a chargeback', () => {
  async function sold() {
    const made = await remote()
    const sale = saleInput({ amount: '10.42', currency: 'USD' })
    await made.client.sale(sale)
    await made.sandbox.settled()
    return { ...made, order: await made.sandbox.order(sale.clientOrderId), sale }
  }

  test('takes a part back, and what is left', async () => {
    const { sandbox, order, sale } = await sold()
    expect(await sandbox.chargeback(order.orderId, '4.00', 'case-1')).toMatchObject({ ok: true })
    expect(await sandbox.chargeback(order.orderId, '4.00', 'case-1')).toMatchObject({ ok: true })
    expect(await sandbox.order(sale.clientOrderId)).toMatchObject({ amount: '6.42' })
    expect(await sandbox.chargeback(order.orderId)).toMatchObject({ ok: true })
    expect(await sandbox.order(sale.clientOrderId)).toMatchObject({ transactionType: 'chargeback', amount: '0.00' })
  })

  test('that a rule forbids fails the test, with the reason and the rule', async () => {
    const merchant = { login: 'shop', controlKey: 'a key' }
    const publicUrl = 'https://gate.example.com/paynet'
    const merchants = [{ ...merchant, endpoints: [{ id: 253 }] }]
    const gateway = createGateway({ publicUrl, merchants, sandbox: true })
    onTestFinished(gateway.close)
    const transport = directTransport({ handle: gateway.handle, isOpen: () => true })
    const client = createPaymentClient({ ...merchant, baseUrl: publicUrl, endpointId: '253', transport })
    const { origin, close } = await listen(createSandbox(gateway), { port: 0, lingerMs: 0 })
    onTestFinished(close)
    const sandbox = sandboxAt(origin)
    const sale = saleInput(cards.insufficientFunds)
    await client.sale(sale)
    await sandbox.settled()
    const { orderId } = await sandbox.order(sale.clientOrderId)
    await expect(sandbox.chargeback(orderId)).rejects.toThrow(
      'sandbox.chargeback was refused: no captured or sold funds are left (G13-22). ' +
        'If the order is not decided yet, wait for sandbox.settled() first; ',
    )
  })

  test("needs the gateway's id of the order", async () => {
    const { sandbox, sale } = await sold()
    await expect(sandbox.chargeback(sale.clientOrderId)).rejects.toThrow(
      'The sandbox refused it: orderId: must be the id of an order: 15 digits',
    )
    await expect(sandbox.chargeback('123456789012345')).rejects.toThrow('there is no order of this id')
  })
})

test('callbacks are sent again', async () => {
  const told: string[] = []
  const sendCallback = async (url: string) => {
    told.push(url)
    return { status: 200 }
  }
  const { client, sandbox } = await remote({ sendCallback })
  const sale = saleInput({ serverCallbackUrl: 'https://shop.example.com/callback' })
  await client.sale(sale)
  await sandbox.settled()
  const { orderId } = await sandbox.order(sale.clientOrderId)
  expect(await sandbox.resendCallbacks(orderId)).toBe(1)
  await sandbox.settled()
  expect(told).toHaveLength(2)
})

describe('what answers', () => {
  test('may be nobody', async () => {
    const { origin, close } = await listen(async () => ({ status: 200, headers: {}, body: '' }), { port: 0 })
    await close()
    await expect(sandboxAt(origin).reset()).rejects.toThrow(
      `No sandbox answers at ${origin}: connect ECONNREFUSED ${origin.slice(7)}. Run tallystick-gateway with --sandbox`,
    )
  })

  test('may be a sandbox without TLS', async () => {
    const { origin } = await remote()
    const https = origin.replace('http:', 'https:')
    await expect(sandboxAt(https).reset()).rejects.toThrow(
      `No sandbox answers at ${https}: ERR_SSL_WRONG_VERSION_NUMBER. Run tallystick-gateway with --sandbox`,
    )
  })

  test.for([
    ['a page', 200, '<html>hello</html>'],
    ['JSON of something else', 404, '{"message":"Not Found"}'],
    ['nothing', 204, ''],
    ['a redirect', 302, ''],
  ] as const)('may be %s', async ([, status, body]) => {
    const origin = await stranger((_, response) => response.writeHead(status, { location: '/login' }).end(body))
    await expect(sandboxAt(origin).orders()).rejects.toThrow(`What answers at ${origin} is no sandbox: ${status}`)
  })

  test('may be a sandbox that fails', async () => {
    const origin = await stranger((_, response) => response.writeHead(500).end('{"error":"Error: the disk is full"}'))
    await expect(sandboxAt(origin).reset()).rejects.toThrow('The sandbox failed at /reset: Error: the disk is full')
  })
})

test.for(['localhost:9465', 'http://127.0.0.1:9465/paynet', '', 'ftp://127.0.0.1'])(
  'the address %j is refused',
  (address) => {
    expect(() => sandboxAt(address)).toThrow(
      'sandboxAt: the address must be scheme, host and port, such as http://127.0.0.1:9465; it is ',
    )
  },
)

test('a misspelt option is named', () => {
  // @ts-expect-error: no such option
  expect(() => sandboxAt('http://127.0.0.1:9465', { logn: 'shop' })).toThrow('sandboxAt: there is no option logn')
})

test.for(['', '/', '/__sandbox', '/__sandbox/'])('the address may end in %j', async (end) => {
  const { origin } = await remote()
  expect(await sandboxAt(`${origin}${end}`).orders()).toEqual([])
})

test('without an address it is where the command has its sandbox', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return Response.json({ reset: true })
  })
  await sandboxAt().reset()
  expect(asked).toEqual(['http://127.0.0.1:9465/__sandbox/reset'])
})

test('faked timers do not hold it up', async () => {
  const { sandbox } = await remote()
  await sandbox.reset()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (const orders of [await sandbox.orders(), await sandbox.orders(), await sandbox.orders()])
    expect(orders).toEqual([])
})
