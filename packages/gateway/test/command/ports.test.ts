import { describe, expect, test } from 'vitest'
import { metrics } from '../../src/command/metrics.ts'
import { mainPort, operationsPort } from '../../src/command/server.ts'
import type { Gateway, GatewayRequest } from '../../src/index.ts'
import { desk } from '../support/desk.ts'
import { SAFE } from '../support/safe-headers.ts'
import { sale } from '../support/signed-requests.ts'

const get = (url: string, method = 'GET') => ({ method, url, headers: {}, body: '' })

const operations = (counters = metrics()) => ({ metrics: counters, onError: counters.failed })

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
    expect(await port(get(`/callbacks/${orderid}/resend`, 'POST'))).toMatchObject({ status: 200, body: '1\n' })
    await gateway.settled()
    expect(calls).toHaveLength(2)
    expect(calls[1]).toBe(calls[0])
    expect(await port(get('/callbacks/123456789012345/resend', 'POST'))).toMatchObject({ status: 200, body: '0\n' })
  })

  test('says that it is not known whether callbacks are sent again, and tells its log why', async () => {
    const errors: unknown[] = []
    const away = new Error('the store is away')
    const failing = { ...desk().gateway, resendCallbacks: () => Promise.reject(away) }
    const port = operationsPort(failing, { ...operations(), onError: (error) => void errors.push(error) })
    expect(await port(get('/callbacks/123456789012345/resend', 'POST'))).toMatchObject({
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
      const { status, body } = await port(get(`/operations/${operation}/outcome/${word}`, 'POST'), isFromHere)
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

  test('does nothing for a page in a browser, and shows its metrics under any name', async () => {
    const port = operationsPort(desk().gateway, { ...operations(), host: 'Ops.Shop.example' })
    const statuses = async (headers: GatewayRequest['headers']) => {
      const { status: resent } = await port({ ...get('/callbacks/123456789012345/resend', 'POST'), headers })
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
