import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { metrics } from '../../src/cli/metrics.ts'
import { mainPort, type Operations, operationsPort } from '../../src/cli/ports.ts'
import type { RefusedRequest } from '../../src/http/reject.ts'
import type { Gateway, GatewayRequest, OperatorRecord } from '../../src/index.ts'
import { operatorHeaders } from '../../src/requests/operator-access.ts'
import { desk } from '../support/desk.ts'
import { SAFE } from '../support/safe-headers.ts'
import { sale } from '../support/signed-requests.ts'

const get = (url: string, method = 'GET') => ({ method, url, headers: {}, body: '' })

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
const operations = (counters = metrics()): Operations => {
  const operatorKey = new Secret(KEY)
  return { metrics: counters, operatorKey, onRefused: () => {}, onError: counters.failed }
}
/** A request of somebody who has the operator key. */
const send = (url: string, who = 'anna', why = 'e-mail of the bank'): GatewayRequest => ({
  ...get(url, 'POST'),
  headers: operatorHeaders(KEY, { who, why }),
  peer: '127.0.0.1',
})

describe('the main port', () => {
  test('serves the interface, and beside it whether the process answers', async () => {
    const { gateway } = desk()
    const handle = mainPort(Promise.resolve(gateway))
    expect(await handle(sale())).toMatchObject({ status: 200, headers: { 'content-type': 'application/vnd.pay+json' } })
    expect(await handle(get('/healthz'))).toMatchObject({ status: 200, headers: SAFE, body: 'ok\n' })
    expect(await handle(get('/'))).toMatchObject({ status: 404 })
  })

  test('says that the process answers while the gateway is being made, and all else once it is made', async () => {
    const { promise, resolve } = Promise.withResolvers<Gateway>()
    const handle = mainPort(promise)
    const waiting = handle(get('/readyz'))
    expect(await handle(get('/healthz'))).toMatchObject({ status: 200, body: 'ok\n' })
    expect(await Promise.race([waiting, Promise.resolve('waiting')])).toBe('waiting')
    resolve(desk().gateway)
    expect(await waiting).toMatchObject({ status: 200, body: 'ready\n' })
  })

  test('says whether the store can be written to', async () => {
    const answers = [async () => true, async () => false, () => Promise.reject(new Error('the disk is full'))]
    const statuses = []
    for (const isReady of answers) {
      const { status, body, headers } = await mainPort(Promise.resolve({ ...desk().gateway, isReady }))(get('/readyz'))
      expect([body.endsWith('\n'), headers]).toEqual([true, { ...SAFE, 'content-type': 'text/plain; charset=utf-8' }])
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 503, 503])
  })
})

describe('the operations port', () => {
  test('shows what was answered, how fast, what failed and whether the store is ready', async () => {
    const counters = metrics()
    const { gateway, send } = desk({
      onAnswer: counters.answered,
      onCallback: counters.called,
      onError: counters.failed,
      sendCallback: () => Promise.reject(new Error('nobody there')),
    })
    await send(sale({ server_callback_url: 'https://shop.example.com/cb' }))
    await send({ ...sale(), url: '/paynet/api/v2/sail/1' })
    counters.failed()
    const { status, headers, body } = await operationsPort(gateway, operations(counters))(get('/metrics'))
    expect([status, headers]).toEqual([200, { ...SAFE, 'content-type': counters.contentType }])
    expect(body).toContain('tallystick_requests_total{operation="sale",status="200"} 1')
    expect(body).toContain('tallystick_requests_total{operation="none",status="404"} 1')
    expect(body).toContain('tallystick_request_duration_seconds_count{operation="sale"} 1')
    expect(body).toContain('tallystick_callbacks_total{state="open"} 1')
    expect(body).toContain('tallystick_failures_total 1')
    expect(body).toContain('tallystick_ready 1')
    expect(body).toContain('process_cpu_seconds_total')
  })

  test('shows that the store is not ready', async () => {
    const full = { ...desk().gateway, isReady: () => Promise.reject(new Error('full')) }
    expect((await operationsPort(full, operations())(get('/metrics'))).body).toContain('tallystick_ready 0')
  })

  test('shows the rest within 5 seconds even if the store does not answer', async () => {
    const { gateway } = desk()
    const silent = { ...gateway, isReady: () => new Promise<boolean>(() => {}) }
    const told = operationsPort(silent, operations())(get('/metrics'))
    await gateway.clock.advance('4999ms')
    expect(await Promise.race([told, Promise.resolve('waiting')])).toBe('waiting')
    await gateway.clock.advance('1ms')
    expect((await told).body).toMatch(/tallystick_failures_total 0\n[\s\S]*tallystick_ready 0\n/)
  })

  test('sends callbacks of an order again', async () => {
    const { gateway, sale: sell, calls } = desk()
    const { orderid } = await sell({ server_callback_url: 'https://shop.example.com/cb' })
    const port = operationsPort(gateway, operations())
    expect(await port(send(`/callbacks/${orderid}/resend`))).toMatchObject({ status: 200, body: '1\n' })
    await gateway.settled()
    expect(calls).toHaveLength(2)
    expect(calls[1]).toBe(calls[0])
    expect(await port(send('/callbacks/123456789012345/resend'))).toMatchObject({ status: 200, body: '0\n' })
  })

  test('says that it is not known whether callbacks are sent again, and tells its log why', async () => {
    const errors: unknown[] = []
    const away = new Error('the store is away')
    const failing = { ...desk().gateway, resendCallbacks: () => Promise.reject(away) }
    const port = operationsPort(failing, { ...operations(), onError: (error) => void errors.push(error) })
    expect(await port(send('/callbacks/123456789012345/resend'))).toMatchObject({
      status: 500,
      headers: SAFE,
      body: 'it is not known whether the callbacks are sent again; the log of the gateway says why\n',
    })
    expect(errors).toEqual([away])
  })

  test('writes an outcome that an operator gives, or says why it does not', async () => {
    const { gateway, sale: sell, shown } = desk()
    const ids = await sell({ cvv2: '217' })
    const port = operationsPort(gateway, operations())
    const write = async (operation: string, word: string, isFromHere = true) => {
      const { status, body } = await port(send(`/operations/${operation}/outcome/${word}`), isFromHere)
      return [status, body]
    }
    expect(await write(`${ids.orderid}-2`, 'approved')).toEqual([409, 'there is no operation with this id\n'])
    expect(await write(`${ids.orderid}-1`, 'unknown')).toEqual([
      400,
      'the outcome is one of approved, declined, error\n',
    ])
    const elsewhere = [403, 'this is only accepted on the machine of the gateway itself\n']
    expect(await write(`${ids.orderid}-1`, 'declined', false)).toEqual(elsewhere)
    expect((await shown(ids))[0]).toBe('unknown')
    expect(await write(`${ids.orderid}-1`, 'declined')).toEqual([200, 'declined\n'])
    expect(await write(`${ids.orderid}-1`, 'error')).toEqual([409, 'the operation has ended as declined\n'])
    expect((await shown(ids))[0]).toBe('declined')
  })

  test('[F-B2] an errand without the operator key is refused before it does anything, and told to the log', async () => {
    const refused: RefusedRequest[] = []
    const { gateway, sale: sell, shown } = desk()
    const ids = await sell({ cvv2: '217' })
    const port = operationsPort(gateway, { ...operations(), onRefused: (each) => void refused.push(each) })
    const url = `/operations/${ids.orderid}-1/outcome/approved`
    const wrong = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Basic ${KEY}` },
      { authorization: `Bearer ${KEY}0` },
    ]
    for (const headers of [...wrong, { authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] }])
      expect(await port({ ...send(url), headers }, true)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: expect.stringMatching(/^the operator key is missing or wrong/),
      })
    const keyless = operationsPort(gateway, { ...operations(), operatorKey: undefined })
    expect(await keyless(send(url), true)).toMatchObject({
      status: 403,
      body: expect.stringContaining('no operator key'),
    })
    expect([(await shown(ids))[0], await gateway.operatorRecords({ limit: 9 })]).toEqual(['unknown', []])
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ method: 'POST', path: url, status: 401, peer: '127.0.0.1' })
    expect(JSON.stringify(refused)).not.toContain(KEY)
  })

  test('[F-B2] an errand is recorded with who, when, from where, before, after and why', async () => {
    const told: OperatorRecord[] = []
    const { gateway, sale: sell, clock } = desk({ onRecord: (record) => void told.push(record) })
    const ids = await sell({ cvv2: '217', server_callback_url: 'https://shop.example.com/cb' })
    const port = operationsPort(gateway, operations())
    const subject = `${ids.orderid}-1`
    const outcome = `/operations/${subject}/outcome/declined`
    expect(await port(send(outcome, 'anna', ''), true)).toMatchObject({ status: 400 })
    expect(await port(send(outcome, 'Änne\n', 'card 4444555566661111, said bank'), true)).toMatchObject({ status: 200 })
    await gateway.settled()
    await clock.advance('1s')
    expect(await port(send(`/callbacks/${ids.orderid}/resend`))).toMatchObject({ status: 200 })
    const at = clock.now()
    const records = [
      {
        at,
        who: 'anna',
        from: '127.0.0.1',
        act: 'resend',
        subject: ids.orderid,
        orderId: ids.orderid,
        before: `${subject} acknowledged after 1`,
        after: '1 due',
        why: 'e-mail of the bank',
      },
      {
        at: at - 1000,
        who: 'Änne',
        from: '127.0.0.1',
        act: 'outcome',
        subject,
        orderId: ids.orderid,
        before: 'unknown',
        after: 'declined',
        why: 'card 444455******1111, said bank',
      },
    ]
    expect(await gateway.operatorRecords({ orderId: ids.orderid, limit: 9 })).toEqual(records)
    expect(told).toEqual(records.toReversed())
  })

  /** What an operator reads, by the path and its query. */
  const ask = (url: string, headers: GatewayRequest['headers'] = {}): GatewayRequest => ({
    ...get(url),
    headers: { ...operatorHeaders(KEY, { who: 'anna', why: '' }), ...headers },
    peer: '127.0.0.1',
  })

  test('[F-D12] shows orders, one order and callbacks that were given up', async () => {
    const { gateway, sale: sell } = desk({ sendCallback: async () => ({ status: 410 }) })
    const { orderid, client_orderid } = await sell({ server_callback_url: 'https://shop.example.com/cb' })
    await sell({ cvv2: '116' })
    const port = operationsPort(gateway, operations())
    const read = async (url: string) => {
      const { status, headers, body } = await port(ask(url))
      expect([status, headers]).toEqual([200, { ...SAFE, 'content-type': 'application/json' }])
      return JSON.parse(body)
    }
    const listed = await read('/orders?status=approved&since=1h&until=2030-01-01T00:00:01Z&login=shop&endpoint=1111')
    expect(listed.items).toMatchObject([{ orderId: orderid, status: 'approved', amount: '10.42' }])
    const { items, next } = await read('/orders?limit=1')
    expect([items.length, next]).toEqual([1, items[0].cursor])
    expect((await read(`/orders?limit=1&cursor=${next}`)).items[0].orderId).not.toBe(items[0].orderId)
    expect((await read(`/orders?client-order-id=${client_orderid}`)).items[0].orderId).toBe(orderid)
    expect((await read('/orders?until=2030-01-01')).items).toEqual([])
    expect(await read(`/orders/${orderid}`)).toMatchObject({ orderId: orderid, callbacks: [{ state: 'refused' }] })
    const given = await read('/callbacks/given-up?since=1h')
    expect(given.items).toMatchObject([{ id: `${orderid}-1`, host: 'shop.example.com', state: 'refused' }])
    expect(await port(send(`/callbacks/${orderid}-1/resend`))).toMatchObject({ status: 200, body: '1\n' })
    expect(await port(send(`/callbacks/${orderid}-2/resend`))).toMatchObject({ status: 200, body: '0\n' })
    expect(await gateway.operatorRecords({ limit: 9 })).toMatchObject([
      { act: 'resend', subject: `${orderid}-2`, after: '0 due' },
      { act: 'resend', subject: `${orderid}-1`, after: '1 due' },
    ])
  })

  test('[F-D12] shows nothing without the operator key, or to a page in a browser', async () => {
    const refused: RefusedRequest[] = []
    const { gateway, sale: sell } = desk()
    const { orderid } = await sell()
    const port = operationsPort(gateway, { ...operations(), onRefused: (each) => void refused.push(each) })
    for (const url of ['/orders?client-order-id=inv-1', `/orders/${orderid}`, '/callbacks/given-up']) {
      const bodies = new Set<string>()
      for (const authorization of [undefined, '', 'Bearer', `Bearer ${KEY}x`, `Basic ${KEY}`, [KEY, KEY]]) {
        const { status, headers, body } = await port({ ...get(url), headers: { authorization } })
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
        bodies.add(body)
      }
      expect([...bodies]).toEqual([expect.stringMatching(/^the operator key is missing or wrong/)])
      for (const page of [{ host: 'evil.example:9464' }, { host: '127.0.0.1:9464', origin: 'https://evil.example' }])
        expect(await port(ask(url, page))).toMatchObject({ status: 403 })
      expect(await operationsPort(gateway, { ...operations(), operatorKey: undefined })(ask(url))).toMatchObject({
        status: 403,
        body: expect.stringContaining('no operator key'),
      })
    }
    // A client order id is the merchant's: the log of refusals does without the query.
    expect(new Set(refused.map(({ path }) => path))).toEqual(
      new Set(['/orders', `/orders/${orderid}`, '/callbacks/given-up']),
    )
    expect((await port(ask('/orders'))).headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.for([
    ['/orders?limit=1001', /limit must be a whole number from 1 to 1000/],
    ['/orders?limit=99999999999999999999', /limit must be/],
    ['/orders?limit=1e3', /limit must be/],
    ['/orders?limit=-1', /limit must be/],
    ['/orders?limit=1&limit=2', /limit: comes twice/],
    ['/orders?cursor=9_9%27%20OR%201=1', /cursor must be/],
    [`/orders?cursor=${'9'.repeat(17)}_1`, /cursor must be/],
    ['/orders?status=sent', /status must be/],
    ['/orders?since=yesterday', /since: must be a date/],
    ['/orders?since=2030-01-31T06:00', /since: must be a date/],
    ['/orders?since=2030-13-01', /since: must be a date/],
    ['/orders?until=999999999w', /until: must be a date/],
    ['/orders?merchant=shop', /there is no filter of this name/],
    ['/orders?__proto__=1', /there is no filter of this name/],
    ['/callbacks/given-up?status=approved', /there is no filter of this name/],
  ] as const)('[F-D12] refuses a wrong filter: %s', async ([url, problem]) => {
    const errors: unknown[] = []
    const port = operationsPort(desk().gateway, { ...operations(), onError: (error) => void errors.push(error) })
    expect(await port(ask(url))).toMatchObject({ status: 400, body: expect.stringMatching(problem) })
    expect(errors).toEqual([])
  })

  test.for([
    "/orders?login=shop'%20OR%20'1'='1",
    '/orders?client-order-id=%25',
    "/orders?endpoint=1111'--",
    '/orders?login=shop%00',
    '/orders?client-order-id=%ED%A0%80%00%FF',
    '/orders?cursor=0_0',
  ])('[F-D12] finds nothing by what is no value of an order: %s', async (url) => {
    const { gateway, sale: sell } = desk()
    await sell()
    expect(await operationsPort(gateway, operations())(ask(url))).toMatchObject({ status: 200, body: '{"items":[]}\n' })
  })

  test.for([
    '/orders/../metrics',
    '/orders/%2e%2e%2fmetrics',
    '/orders/1',
    '/orders/1234567890123456',
    '/orders/123456789012345/',
    "/orders/123456789012345'--",
    '/orders/123456789012345%00',
    '//orders',
    '/callbacks/given-up/..',
  ])('[F-D12] has nothing at what is no id: %s', async (url) => {
    expect(await operationsPort(desk().gateway, operations())(ask(url))).toMatchObject({ status: 404 })
  })

  test('[F-D12] says that it cannot read, and tells its log why', async () => {
    const errors: unknown[] = []
    const away = new TypeError('the store is away')
    const inspect = { ...desk().gateway.inspect, orders: () => Promise.reject(away) }
    const port = operationsPort(
      { ...desk().gateway, inspect },
      { ...operations(), onError: (error) => void errors.push(error) },
    )
    expect(await port(ask('/orders'))).toMatchObject({
      status: 500,
      body: 'it cannot be read now; the log of the gateway says why\n',
    })
    expect(errors).toEqual([away])
    expect(await port(ask('/orders/123456789012345'))).toMatchObject({
      status: 404,
      body: 'there is no order of this id\n',
    })
  })

  test('does nothing for a page in a browser, and shows its metrics under any name', async () => {
    const port = operationsPort(desk().gateway, { ...operations(), host: 'Ops.Shop.example' })
    const statuses = async (headers: GatewayRequest['headers']) => {
      const { status: resent } = await port({
        ...get('/callbacks/123456789012345/resend', 'POST'),
        headers: { ...operatorHeaders(KEY, { who: 'anna', why: '' }), ...headers },
      })
      const { status: shown } = await port({ ...get('/metrics'), headers })
      return [resent, shown]
    }
    expect(await statuses({ host: '127.0.0.1:9464', origin: 'https://evil.example' })).toEqual([403, 200])
    expect(await statuses({ host: 'evil.example:9464' })).toEqual([403, 200])
    expect(await statuses({ host: 'ops.shop.example:9464' })).toEqual([200, 200])
    expect(await statuses({ host: '127.0.0.1:9464' })).toEqual([200, 200])
  })

  test.for([
    ['GET', '/callbacks/123456789012345/resend'],
    ['POST', '/callbacks/1/resend'],
    ['POST', '/metrics'],
    ['GET', '/'],
  ])('has nothing else: %s %s', async ([method = '', url = '']) => {
    expect(await operationsPort(desk().gateway, operations())(get(url, method))).toMatchObject({
      status: 404,
      headers: SAFE,
    })
  })
})
