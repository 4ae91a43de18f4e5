import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { createSandbox, FAULTS } from '../../src/index.ts'
import { systemClock } from '../../src/runtime/system.ts'
import { APPROVED, deciding, declined, undecided } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { MONTHLY } from '../support/recurring.ts'
import { SAFE } from '../support/safe-headers.ts'
import { merchants, RIVAL, sale } from '../support/signed-requests.ts'

const CALLED = { server_callback_url: 'https://shop.example.com/cb?shop=7' }

/** A sandbox. `ask`, `get` and `post` return its answers with their HTTP status. */
function sandboxed(options: Parameters<typeof desk>[0] = {}) {
  const made = desk({ sandbox: true, ...options })
  const handle = createSandbox(made.gateway)
  async function ask(method: string, path: string, body: unknown = '') {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await handle({ method, url: `/__sandbox${path}`, headers: {}, body: text })
    expect(reply.headers).toMatchObject({ ...SAFE, 'content-type': 'application/json' })
    return { http: reply.status, ...JSON.parse(reply.body) }
  }
  return {
    ...made,
    handle,
    get: (path: string) => ask('GET', path),
    post: (path: string, body?: unknown) => ask('POST', path, body),
    ask,
  }
}

const REQUESTS = [
  'GET /__sandbox',
  'GET /__sandbox/setup',
  'GET /__sandbox/clock',
  'POST /__sandbox/clock/advance',
  'GET /__sandbox/faults',
  'POST /__sandbox/faults',
  'POST /__sandbox/faults/all',
  'POST /__sandbox/faults/clear',
  'GET /__sandbox/orders',
  'POST /__sandbox/orders',
  'GET /__sandbox/orders/{orderId}',
  'POST /__sandbox/orders/{orderId}/chargeback',
  'POST /__sandbox/callbacks/resend',
  'POST /__sandbox/settle',
  'POST /__sandbox/reset',
  'GET /__sandbox/operations',
  'GET /__sandbox/operations/{operation}',
  'GET /__sandbox/requests/{id}',
  'POST /__sandbox/requests',
  'GET /__sandbox/recording',
  'GET /__sandbox/recording.html',
  'GET /__sandbox/recording/stream',
  'POST /__sandbox/recording',
  'GET /__sandbox/agenda',
  'POST /__sandbox/callbacks/try',
  'POST /__sandbox/setup/key',
  'GET /__sandbox/decisions',
  'POST /__sandbox/decisions',
  'POST /__sandbox/decisions/next',
]
const shown = (requests: readonly { readonly request: string }[]) => requests.map(({ request }) => request)

describe('a sandbox shows', () => {
  test('its requests, and each fault with the amount and the card that stand for it', async () => {
    const { requests, faults, http } = await sandboxed().get('')
    expect([http, shown(requests)]).toEqual([200, REQUESTS])
    expect(faults).toHaveLength(Object.keys(FAULTS).length)
    expect(faults[0]).toEqual({
      fault: 'reply-lost-before-commit',
      acts: 'reply',
      meaning: FAULTS['reply-lost-before-commit'].meaning,
      amountInMinorUnits: 66_601,
      testCard: '4000000000006017',
    })
  })

  test('its requests if a path is unknown, and which method a path takes', async () => {
    const { get, post, handle } = sandboxed()
    const unknown = await get('/order')
    expect([unknown.http, unknown.error, shown(unknown.requests)]).toEqual([
      404,
      'there is nothing at this path',
      REQUESTS,
    ])
    expect(await post('/orders/123456789012345')).toMatchObject({ http: 405, error: 'this path takes another method' })
    const reply = await handle({ method: 'DELETE', url: '/__sandbox/faults', headers: {}, body: '' })
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, POST'])
    expect((await handle({ method: 'GET', url: '/paynet/__sandbox', headers: {}, body: '' })).status).toBe(404)
  })

  test('nothing to a page of another site that is open in a browser', async () => {
    const { handle } = sandboxed()
    const headers = { origin: 'https://evil.example' }
    const reply = await handle({ method: 'POST', url: '/__sandbox/reset', headers, body: '' })
    expect([reply.status, JSON.parse(reply.body)]).toEqual([403, { error: 'a page in a browser may not ask here' }])
  })

  describe('nothing to a hostile page in the same browser, which', () => {
    const here = { host: '127.0.0.1:9465' }
    const crossSite = { ...here, 'sec-fetch-site': 'cross-site' }
    const hostile = 'https://evil.example'

    test.for([
      ['contains an image of it', 'GET', { ...crossSite, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
      ['contains a script of it', 'GET', { ...crossSite, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
      ['contains it as a frame', 'GET', { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
      ['opens it as a window', 'GET', { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
      ['is of another port of this machine', 'GET', { ...here, 'sec-fetch-site': 'same-site' }],
      ['sends a form without an origin', 'POST', { ...crossSite, 'content-type': 'text/plain' }],
      ['sends a form', 'POST', { ...here, origin: hostile, 'content-type': 'application/x-www-form-urlencoded' }],
      ['sends a form from a frame of no origin', 'POST', { ...here, origin: 'null' }],
      ['asks by script', 'GET', { ...crossSite, origin: hostile, 'sec-fetch-mode': 'cors' }],
      ['asks first whether it may', 'OPTIONS', { ...here, origin: hostile, 'access-control-request-method': 'POST' }],
      ['listens to server-sent events', 'GET', { ...here, origin: hostile, accept: 'text/event-stream' }],
      ['opens a web socket', 'GET', { ...here, origin: hostile, upgrade: 'websocket', connection: 'Upgrade' }],
      ['has pointed its name here', 'GET', { host: 'evil.example:9465', 'sec-fetch-site': 'same-origin' }],
      ['has pointed its name here, and sends', 'POST', { host: 'evil.example', origin: 'http://evil.example' }],
    ] as const)('[F-B18] %s', async ([, method, headers]) => {
      const { handle } = sandboxed()
      const body = method === 'POST' ? '{}' : ''
      for (const path of ['/orders', '/reset', '/settle', '/recording', '/recording/stream', '/recording.html', '']) {
        const reply = await handle({ method, url: `/__sandbox${path}`, headers, body })
        expect([path, reply.status, reply.headers['access-control-allow-origin']]).toEqual([path, 403, undefined])
      }
    })

    test('[F-B18] but the page itself to whoever follows a link to it, and its files only to itself', async () => {
      const { handle } = sandboxed()
      const statusOf = async (url: string, headers: Readonly<Record<string, string>>) =>
        (await handle({ method: 'GET', url, headers, body: '' })).status
      const link = { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
      const own = { ...here, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
      expect(await statusOf('/', link)).toBe(200)
      expect(await statusOf('/', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403)
      expect(await statusOf('/workbench.js', own)).toBe(200)
      expect(await statusOf('/workbench.js', { ...own, 'sec-fetch-site': 'cross-site' })).toBe(403)
      expect(await statusOf('/__sandbox/orders', { ...own, 'sec-fetch-dest': 'empty' })).toBe(200)
    })
  })

  test('nothing to requests that name another public host, unless it is its own', async () => {
    const { gateway, handle } = sandboxed()
    const request = { method: 'GET', url: '/__sandbox/orders', headers: { host: 'gate.example:9465' }, body: '' }
    expect((await handle(request)).status).toBe(403)
    expect((await createSandbox(gateway, { host: 'gate.example' })(request)).status).toBe(200)
  })

  describe('a page that it has served itself', () => {
    const key = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
    const bearer = { authorization: `Bearer ${key}` }
    const own = { host: '127.0.0.1:9465', origin: 'http://127.0.0.1:9465' }

    async function asked(method: string, path: string, headers: Readonly<Record<string, string>>) {
      const refused: unknown[] = []
      const { gateway } = desk({ sandbox: true })
      const handle = createSandbox(gateway, { operatorKey: new Secret(key), onRefused: (each) => refused.push(each) })
      const { status } = await handle({ method, url: `/__sandbox${path}`, headers, body: '' })
      return { status, refused }
    }

    test.for([
      ['changes something with the key', 'POST', '/settle', { ...own, ...bearer }, 200],
      ['changes nothing without it', 'POST', '/settle', own, 401],
      ['reads with the key', 'GET', '/orders', { ...own, ...bearer }, 200],
      ['reads nothing without it', 'GET', '/orders', own, 401],
      ['reads with the key in its address', 'GET', `/orders?limit=5&token=${key}`, own, 200],
      ['changes nothing with the key in its address', 'POST', `/settle?token=${key}`, own, 401],
    ] as const)('[F-B18] %s', async ([, method, path, headers, status]) => {
      expect((await asked(method, path, headers)).status).toBe(status)
    })

    test.for([
      ['of another port', { host: '127.0.0.1:9465', origin: 'http://127.0.0.1:3000' }],
      ['of another scheme', { host: '127.0.0.1:9465', origin: 'https://127.0.0.1:9465' }],
      ['of a site whose name leads here', { host: 'evil.example:9465', origin: 'http://evil.example:9465' }],
      ['of a network whose name leads here', { host: 'shop.lan:9465', origin: 'http://shop.lan:9465' }],
      ['in a frame without an origin', { host: '127.0.0.1:9465', origin: 'null' }],
    ] as const)('[F-B18] is no page %s, which is refused even with the key', async ([, headers]) => {
      expect((await asked('GET', '/orders', { ...headers, ...bearer })).status).toBe(403)
    })

    test('[F-B18] is refused without the address that has the key', async () => {
      const { refused } = await asked('GET', `/orders?token=${key}0`, own)
      expect(refused).toMatchObject([{ status: 401, path: '/__sandbox/orders' }])
      expect(JSON.stringify(refused)).not.toContain(key)
    })
  })

  test('nothing of a gateway that is no sandbox', () => {
    expect(() => createSandbox(desk().gateway)).toThrow('the gateway is no sandbox: create it with sandbox: true')
  })

  test('what went wrong inside', async () => {
    const { gateway } = desk({ sandbox: true })
    const reset = async () => Promise.reject(new Error('the disk is full'))
    const handle = createSandbox({ ...gateway, sandbox: gateway.sandbox && { ...gateway.sandbox, reset } })
    const reply = await handle({ method: 'POST', url: '/__sandbox/reset', headers: {}, body: '' })
    expect([reply.status, JSON.parse(reply.body)]).toEqual([500, { error: 'Error: the disk is full' }])
  })
})

describe('wrong input is refused, and the field named', () => {
  test.for([
    ['/clock/advance', {}, 'duration', 'duration: must be milliseconds, or like 30s, 15m, 24h, 14d'],
    ['/clock/advance', { duration: 'soon' }, 'duration', 'duration: must be '],
    ['/clock/advance', { duration: -1 }, 'duration', 'duration: must be '],
    ['/clock/advance', { duration: '1h', by: 2 }, 'by', 'by: '],
    ['/clock/advance', { duration: '99999999d' }, 'duration', 'duration: must end in the year 9999 or before'],
    ['/clock/advance', { duration: 9e15 }, 'duration', 'duration: must end in the year 9999 or before'],
    ['/clock/advance', { duration: '2910982d' }, 'duration', 'duration: must end in the year 9999 or before'],
    ['/clock/advance', '{', undefined, 'the body is not JSON'],
    ['/clock/advance', '[]', undefined, 'the body: '],
    ['/faults', { operation: 'sale' }, 'fault', 'fault: must be one of reply-lost-before-commit, '],
    ['/faults', { fault: 'boom', operation: 'sale' }, 'fault', 'fault: must be one of '],
    ['/faults', { fault: 'overloaded' }, 'operation', 'operation: give it or clientOrderId, but not both'],
    ['/faults', { fault: 'overloaded', operation: 'sale', clientOrderId: 'a' }, 'operation', 'operation: give it or '],
    ['/faults', { fault: 'overloaded', operation: 'sail' }, 'operation', 'operation: must be one of '],
    ['/faults', { fault: 'overloaded', clientOrderId: '' }, 'clientOrderId', 'clientOrderId: must be a text'],
    ['/faults', { fault: 'callback-never', operation: 'getCardInfo' }, 'fault', 'fault: getCardInfo names no order'],
    ['/faults/clear', { all: true }, 'all', 'all: '],
    ['/callbacks/resend', {}, 'orderId', 'orderId: must be the id of an order: 15 digits'],
    ['/callbacks/resend', { orderId: '12' }, 'orderId', 'orderId: must be the id of an order: 15 digits'],
    ['/orders/123456789012345/chargeback', { amount: '1,00' }, 'amount', 'amount: must be in major units'],
    ['/orders', { limit: 0 }, 'limit', 'limit: must be a whole number from 1 to 1000'],
    ['/orders', { limit: '1e2' }, 'limit', 'limit: must be a whole number from 1 to 1000'],
    ['/orders', { limit: true }, 'limit', 'limit: must be a whole number from 1 to 1000'],
    ['/orders', { colour: 'red' }, 'colour', 'colour: '],
    ['/orders/inv-1/chargeback', {}, 'orderId', 'orderId: must be the id of an order: 15 digits'],
    ['/settle', { hard: true }, 'hard', 'hard: '],
    ['/reset', { hard: true }, 'hard', 'hard: '],
  ] as const)('POST %s %j', async ([path, body, field, problem]) => {
    const answer = await sandboxed().post(path, body)
    expect([answer.http, answer.field]).toEqual([400, field])
    expect(answer.error.startsWith(problem)).toBe(true)
  })

  test.for([
    ['/orders?limit=0', 'limit'],
    ['/orders?limit=1001', 'limit'],
    ['/orders?limit=all', 'limit'],
    ['/orders?login=', 'login'],
    ['/orders?colour=red', 'colour'],
  ] as const)('GET %s', async ([path, field]) => {
    expect(await sandboxed().get(path)).toMatchObject({ http: 400, field })
  })
})

describe('the clock', () => {
  test('advances, and what falls due on the way is done', async () => {
    const { get, post, preauth, told } = sandboxed()
    const ids = await preauth()
    expect(await get('/clock')).toEqual({ http: 200, now: '2030-01-01T00:00:00.000Z', seconds: 1_893_456_000 })
    expect(await post('/clock/advance', { duration: '7d' })).toMatchObject({ now: '2030-01-08T00:00:00.000Z' })
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'cancel', status: 'approved' })
    expect(await post('/clock/advance', { duration: 1500 })).toMatchObject({ now: '2030-01-08T00:00:01.500Z' })
  })

  test('advances only after a callback on its way was answered, so that it is not sent again', async () => {
    const answered = Promise.withResolvers<{ status: number }>()
    const begun = Promise.withResolvers<void>()
    let sent = 0
    const { gateway, handle } = sandboxed({
      sendCallback: () => {
        sent += 1
        begun.resolve()
        return answered.promise
      },
    })
    await gateway.handle(sale(CALLED))
    await begun.promise
    const body = '{"duration":"1h"}'
    const advanced = handle({ method: 'POST', url: '/__sandbox/clock/advance', headers: {}, body })
    await new Promise(setImmediate)
    answered.resolve({ status: 200 })
    expect((await advanced).status).toBe(200)
    expect(sent).toBe(1)
  })

  test('advances no further than the year 9999, and is unchanged after a try', async () => {
    const { get, post, sale: sell } = sandboxed()
    await post('/clock/advance', { duration: '99999999d' })
    expect(await get('/clock')).toMatchObject({ http: 200, now: '2030-01-01T00:00:00.000Z' })
    expect(await post('/clock/advance', { duration: '2910981d' })).toMatchObject({ now: '9999-12-31T00:00:00.000Z' })
    await sell()
    expect((await get('/orders')).orders).toHaveLength(1)
  })

  test("cannot be advanced if it is the machine's own", async () => {
    const { gateway } = desk({ sandbox: true })
    const handle = createSandbox({ ...gateway, clock: systemClock })
    const reply = await handle({ method: 'POST', url: '/__sandbox/clock/advance', headers: {}, body: '{"duration":1}' })
    expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('cannot be advanced')])
  })
})

describe('faults', () => {
  test('are asked for, listed and forgotten', async () => {
    const { get, post, gateway } = sandboxed({ faults: { seed: 3, probability: 0, only: ['overloaded'] } })
    await post('/faults', { fault: 'overloaded', operation: 'sale' })
    await post('/faults', { fault: 'html-page', operation: 'sale' })
    const asked = await post('/faults', { fault: 'callback-twice', clientOrderId: 'inv-1' })
    expect((await gateway.handle(sale())).status).toBe(503)
    expect(asked).toMatchObject({ seed: 3, next: [{ fault: 'overloaded' }, { fault: 'html-page' }] })
    expect(await get('/faults')).toEqual({
      http: 200,
      seed: 3,
      draw: { seed: 3, probability: 0, only: ['overloaded'] },
      next: [{ operation: 'sale', fault: 'html-page' }],
      orders: [{ clientOrderId: 'inv-1', fault: 'callback-twice' }],
      struck: [{ clientOrderId: 'inv-1', fault: 'overloaded' }],
    })
    expect(await post('/faults/clear')).toMatchObject({ next: [], orders: [], struck: [] })
    expect((await gateway.handle(sale())).status).toBe(200)
  })

  test('[F-E33] are drawn by every order, from now on and until they are forgotten', async () => {
    const { post, gateway } = sandboxed()
    const paid = async (clientOrderId: string) => (await gateway.handle(sale({ client_orderid: clientOrderId }))).status
    expect(await paid('inv-1')).toBe(200)
    const draw = { probability: 0.5, only: ['overloaded'], seed: 7 }
    expect(await post('/faults/all', draw)).toMatchObject({ http: 200, seed: 7, draw })
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => paid(`inv-a${at}`)))
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    const drawn = { type: 'fault', what: 'set', probability: 0.5 }
    expect(Array.from(gateway.recording?.events() ?? [])).toContainEqual(expect.objectContaining(drawn))
    expect(await post('/faults/all', { probability: 0 })).not.toHaveProperty('draw')
    expect(await paid('inv-2')).toBe(200)
    await post('/faults/all', { ...draw, probability: 1 })
    expect(await paid('inv-3')).toBe(503)
    await post('/faults/clear')
    expect(await paid('inv-4')).toBe(200)
    expect(await post('/faults/all', { probability: 2 })).toMatchObject({ http: 400, field: 'probability' })
    expect(await post('/faults/all', { ...draw, only: ['none'] })).toMatchObject({ http: 400, field: 'only' })
  })
})

test('a body is read as UTF-8, whether it comes as bytes or as a text', async () => {
  const text = JSON.stringify({ fault: 'overloaded', clientOrderId: 'Größe-Ключ' })
  for (const body of [text, Buffer.from(text).toString('latin1')]) {
    const { post } = sandboxed()
    expect((await post('/faults', body)).orders).toEqual([{ fault: 'overloaded', clientOrderId: 'Größe-Ключ' }])
  }
  const umlaut = JSON.stringify({ fault: 'overloaded', clientOrderId: 'Größe' })
  expect((await sandboxed().post('/faults', umlaut)).orders).toMatchObject([{ clientOrderId: 'Größe' }])
})

describe('callbacks', () => {
  test('are sent again', async () => {
    const { post, sale: sell, calls, gateway } = sandboxed()
    const { orderid } = await sell(CALLED)
    expect(await post('/callbacks/resend', { orderId: orderid })).toEqual({ http: 200, callbacks: 1 })
    await gateway.settled()
    expect(calls).toHaveLength(2)
    expect(await post('/callbacks/resend', { orderId: '123456789012345' })).toMatchObject({ http: 404 })
  })
})

test('to settle is to wait for the acquirer and for the callbacks that are due', async () => {
  const { execute, decide } = undecided()
  const { post, gateway, calls } = sandboxed({ acquirer: deciding({ execute }) })
  await gateway.handle(sale(CALLED))
  let isSettled = false
  const settling = post('/settle').finally(() => {
    isSettled = true
  })
  await new Promise(setImmediate)
  expect([isSettled, calls.length]).toEqual([false, 0])
  decide(APPROVED)
  expect(await settling).toEqual({ http: 200, settled: true })
  expect(calls).toHaveLength(1)
})

describe('orders', () => {
  test('show all that became of them: operations, postings, callbacks with their attempts, and what is due', async () => {
    const { get, sale: sell, return: giveBack, clock } = sandboxed({ sendCallback: async () => ({ status: 503 }) })
    const { orderid } = await sell(CALLED)
    await clock.advance('1h')
    await giveBack({ client_orderid: 'inv-1', orderid }, { amount: '1.00', currency: 'EUR' })
    const order = await get(`/orders/${orderid}`)
    expect(order).toMatchObject({
      http: 200,
      orderId: orderid,
      clientOrderId: 'inv-1',
      login: 'shop',
      endpointId: '1111',
      createdAt: '2030-01-01T00:00:00.000Z',
      status: 'approved',
      transactionType: 'reversal',
      amount: '9.42',
      initialAmount: '10.42',
      currency: 'EUR',
      card: { bin: '444433', lastFourDigits: '1111' },
      faults: [],
      tasks: [],
    })
    expect(order.operations).toMatchObject([
      { id: `${orderid}-1`, kind: 'sale', amount: '10.42', status: 'approved', statusAt: '2030-01-01T00:00:00.000Z' },
      {
        id: `${orderid}-2`,
        kind: 'reversal',
        amount: '1.00',
        status: 'approved',
        createdAt: '2030-01-01T01:00:00.000Z',
      },
    ])
    expect(order.postings).toMatchObject([
      { account: 'merchant', amount: '10.42', at: '2030-01-01T00:00:00.000Z' },
      { account: 'payer', amount: '-10.42' },
      { account: 'merchant', amount: '-1.00' },
      { account: 'payer', amount: '1.00', at: '2030-01-01T01:00:00.000Z' },
    ])
    const [callback] = order.callbacks
    expect(callback).toMatchObject({
      address: 'https://shop.example.com/cb',
      parameters: { shop: '7', status: 'approved', orderid, client_orderid: 'inv-1', amount: '10.42' },
      state: 'open',
      lastAnswer: '503',
      firstAt: '2030-01-01T00:00:00.000Z',
    })
    expect(callback.attempts).toBeGreaterThan(5)
  })

  test('show what is reported to an address whose query holds a question mark', async () => {
    const { get, sale: sell } = sandboxed()
    const { orderid } = await sell({ server_callback_url: 'https://shop.example.com/cb?next=/cart?id=7' })
    expect((await get(`/orders/${orderid}`)).callbacks).toMatchObject([
      { address: 'https://shop.example.com/cb', parameters: { next: '/cart?id=7', status: 'approved', orderid } },
    ])
  })

  test('show what they wait for', async () => {
    const { get, preauth } = sandboxed()
    const { orderid } = await preauth()
    expect((await get(`/orders/${orderid}`)).tasks).toEqual([
      { id: `release-${orderid}`, kind: 'release', dueAt: '2030-01-08T00:00:00.000Z', tried: 0 },
    ])
  })

  test('are listed, those that changed last first, of all merchants or one, or by their own id', async () => {
    const { get, post, send, sale: sell, clock } = sandboxed({ merchants: merchants() })
    await sell()
    await clock.advance(1)
    await sell()
    await clock.advance(1)
    await send(sale({ client_orderid: 'inv-1' }, RIVAL))
    const named = async (query: string) => {
      const [got, posted] = [
        await get(`/orders${query}`),
        await post('/orders', Object.fromEntries(new URLSearchParams(query))),
      ]
      expect(posted).toEqual(got)
      return got.orders.map(({ login, clientOrderId }: Record<string, string>) => `${login} ${clientOrderId}`)
    }
    expect(await named('')).toEqual(['rival inv-1', 'shop inv-2', 'shop inv-1'])
    expect(await named('?limit=2')).toEqual(['rival inv-1', 'shop inv-2'])
    expect(await named('?login=shop')).toEqual(['shop inv-2', 'shop inv-1'])
    expect(await named('?clientOrderId=inv-1')).toEqual(['rival inv-1', 'shop inv-1'])
    expect(await named('?clientOrderId=inv-1&login=shop')).toEqual(['shop inv-1'])
    expect(await named('?login=nobody')).toEqual([])
    expect((await post('/orders', { limit: 1 })).orders).toHaveLength(1)
  })

  test('that share a client order id are all listed by it, those that changed last first', async () => {
    const { get, post, sale: sell, clock } = sandboxed({ allowRepeats: true })
    const { orderid: first } = await sell({ client_orderid: 'same' })
    await clock.advance(1)
    const { orderid: second } = await sell({ client_orderid: 'same' })
    await sell({ client_orderid: 'other' })
    const { orders } = await get('/orders?clientOrderId=same')
    expect(orders.map(({ orderId }: Record<string, string>) => orderId)).toEqual([second, first])
    expect((await post('/orders', { clientOrderId: 'same', limit: 1 })).orders).toMatchObject([{ orderId: second }])
  })

  test('that do not exist are not found', async () => {
    const { get, post } = sandboxed()
    const missing = { http: 404, error: 'there is no order of this id' }
    expect(await get('/orders/123456789012345')).toEqual(missing)
    expect(await post('/orders/123456789012345/chargeback')).toEqual(missing)
  })

  test('are charged back, as far as the rules allow', async () => {
    const { get, post, sale: sell } = sandboxed()
    const { orderid } = await sell()
    const path = `/orders/${orderid}/chargeback`
    for (let told = 0; told < 2; told++) {
      const answer = await post(path, { amount: '4.00', caseId: 'CB-1' })
      expect(answer).toEqual({ http: 200, ok: true, operationId: `${orderid}-2` })
    }
    expect(await post(path)).toMatchObject({ http: 200 })
    expect(await post(path)).toEqual({ http: 409, error: 'no captured or sold funds are left', rule: 'G13-22' })
    expect((await get(`/orders/${orderid}`)).amount).toBe('0.00')
  })

  test.for([
    ['KWD', '20.500', '10.505', 200],
    ['KWD', '20.500', '10.5055', 400],
    ['JPY', '1050', '10', 200],
    ['JPY', '1050', '10.50', 400],
    ['EUR', '10.42', '1.001', 400],
    ['EUR', '10.42', '01.00', 400],
    ['CLF', '2.0000', '0.0001', 200],
  ] as const)(
    'are charged back in the units of their currency: of %s %s, %s',
    async ([currency, amount, back, http]) => {
      const { post, get, askOAuth, store } = sandboxed({ profile: { exponents: 'iso-4217' } })
      await askOAuth('/api/v4/create-recurring-payment', { ...MONTHLY, 'client-orderid': 'rp-1', currency, amount })
      const [{ orderId: orderid } = { orderId: '' }] = await store.recentOrders('shop', 1)
      const answer = await post(`/orders/${orderid}/chargeback`, { amount: back })
      expect([answer.http, answer.field]).toEqual([http, http === 400 ? 'amount' : undefined])
      const { operations } = await get(`/orders/${orderid}`)
      expect(operations.slice(1)).toMatchObject(http === 200 ? [{ kind: 'chargeback', amount: back }] : [])
    },
  )

  test('[S2-04] show no card number, wherever one was put', async () => {
    const [pan, another] = ['4444333322221111', '5555555555554444']
    const acquirer = deciding({ execute: async () => declined(`Not this card: ${pan}`) })
    const { handle, sale: sell } = sandboxed({ acquirer })
    // With its own card there it would be refused.
    const { orderid } = await sell({
      server_callback_url: `https://shop.example.com/${another}?card=${another}`,
      merchant_data: `card ${another}`,
    })
    for (const url of [`/__sandbox/orders/${orderid}`, '/__sandbox/orders']) {
      const { body } = await handle({ method: 'GET', url, headers: {}, body: '' })
      for (const number of [pan, another]) expect(body).not.toContain(number)
      for (const masked of ['444433******1111', '555555******4444']) expect(body).toContain(masked)
      expect(body).toContain(`"orderid": "${orderid}"`)
    }
  })
})

describe('a reset', () => {
  test('forgets that a shop was down: the callbacks of the next test are sent at once', async () => {
    const calls: string[] = []
    let status = 503
    const sendCallback = async (url: string) => {
      calls.push(url)
      return { status }
    }
    const { post, sale: sell } = sandboxed({ sendCallback })
    for (let order = 0; order < 6; order++) await sell(CALLED)
    expect(calls).toHaveLength(5)
    status = 200
    await post('/reset')
    await sell(CALLED)
    expect(calls).toHaveLength(6)
  })

  test('forgets orders, faults and what was due, and the same ids may be used again', async () => {
    const { get, post, gateway, store, clock, calls } = sandboxed({ sendCallback: async () => ({ status: 503 }) })
    await gateway.handle(sale(CALLED))
    await post('/faults', { fault: 'overloaded', operation: 'sale' })
    expect(await post('/reset')).toEqual({ http: 200, reset: true })
    expect([(await get('/orders')).orders, (await get('/faults')).next]).toEqual([[], []])
    expect(await store.nextDueAt()).toBeUndefined()
    await clock.advance('1d')
    expect(calls).toEqual([])
    expect((await gateway.handle(sale(CALLED))).status).toBe(200)
    expect((await get('/orders')).orders).toHaveLength(1)
  })

  test('waits for the work in progress, so that nothing of it comes back afterwards', async () => {
    const { execute, decide } = undecided()
    const { post, get, gateway, heard } = sandboxed({ acquirer: deciding({ execute }) })
    await gateway.handle(sale())
    const resetting = post('/reset')
    await new Promise(setImmediate)
    expect((await get('/orders')).orders).toHaveLength(1)
    decide(declined())
    await resetting
    await gateway.settled()
    expect([(await get('/orders')).orders, heard]).toEqual([[], []])
  })
})

test("a card number sent instead of a field's name is masked in the answer", async () => {
  const answer = await sandboxed().post('/faults', { fault: 'overloaded', '4485940822379130': '1' })
  expect(JSON.stringify(answer)).toContain('448594******9130')
  expect(JSON.stringify(answer)).not.toContain('4485940822379130')
})
