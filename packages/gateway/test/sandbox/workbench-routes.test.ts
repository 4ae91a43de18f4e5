import { createHash } from 'node:crypto'
import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { createSandbox, memoryStore } from '../../src/index.ts'
import { desk } from '../support/desk.ts'
import { MONTHLY } from '../support/recurring.ts'
import { SHOP } from '../support/signed-requests.ts'

const CALLED = { server_callback_url: 'https://shop.example.com/cb?shop=7' }

function sandboxed(options: Parameters<typeof desk>[0] = {}) {
  const made = desk({ sandbox: true, ...options })
  const handle = createSandbox(made.gateway)
  async function ask(method: string, path: string, body: unknown = '') {
    const text = body === '' ? '' : JSON.stringify(body)
    const reply = await handle({ method, url: `/__sandbox${path}`, headers: {}, body: text })
    return { http: reply.status, ...JSON.parse(reply.body) }
  }
  return {
    ...made,
    get: (path: string) => ask('GET', path),
    post: (path: string, body: unknown) => ask('POST', path, body),
  }
}

describe('the agenda', () => {
  test('[F-E12] has callbacks, the ends of holds and the charges of schedules, the earliest first', async () => {
    const { get, preauth, sale, askOAuth, gateway } = sandboxed({ sendCallback: async () => ({ status: 503 }) })
    const held = await preauth()
    const sold = await sale(CALLED)
    await askOAuth('/api/v4/create-recurring-payment', { 'client-orderid': 'rp-1', ...MONTHLY })
    await gateway.settled()
    const { due } = await get('/agenda')
    expect(due).toMatchObject([
      {
        kind: 'callback',
        tried: 1,
        orderId: sold.orderid,
        clientOrderId: 'inv-2',
        address: 'https://shop.example.com/cb',
      },
      { kind: 'release', tried: 0, orderId: held.orderid, clientOrderId: 'inv-1', dueAt: '2030-01-08T00:00:00.000Z' },
      { kind: 'charge', clientOrderId: 'rp-1', dueAt: expect.stringMatching(/^2030-02-01/) },
    ])
    expect((await get('/agenda?limit=1')).due).toEqual(due.slice(0, 1))
    expect(await get('/agenda?limit=0')).toMatchObject({ http: 400, field: 'limit' })
  })
})

describe('a trial of the shop', () => {
  test('[F-E12] calls it with the changed callback, records that, and leaves the callback as it was', async () => {
    const { get, post, sale, gateway, calls } = sandboxed()
    const { orderid } = await sale(CALLED)
    await gateway.settled()
    const [before] = (await get(`/orders/${orderid}`)).callbacks
    expect(await post('/callbacks/try', { callbackId: before.id, as: 'forged' })).toEqual({
      http: 200,
      answers: ['200'],
    })
    expect(await post('/callbacks/try', { callbackId: before.id, as: 'twice' })).toMatchObject({
      answers: ['200', '200'],
    })
    expect((await get(`/orders/${orderid}`)).callbacks).toEqual([before])
    const controls = calls.map((url) => new URL(url).searchParams.get('control'))
    const valid = createHash('sha1').update(`approved${orderid}inv-1${SHOP.controlKey}`).digest('hex')
    expect(controls.map((control) => control === valid)).toEqual([true, false, true, true])
    const recorded = [...(gateway.recording?.events() ?? [])].filter(({ type }) => type === 'callback')
    expect(recorded.map((event) => 'trial' in event && event.trial)).toEqual([false, 'forged', 'twice', 'twice'])
  })

  test('[F-E12] goes nowhere that a callback may not go', async () => {
    const store = memoryStore()
    const orderById = async (orderId: string) => {
      const order = await store.orderById(orderId)
      const addresses = { serverCallbackUrl: 'http://169.254.169.254/latest' }
      return order && { ...order, details: { ...order.details, addresses } }
    }
    const { get, post, sale, gateway } = sandboxed({ sendCallback: undefined, store: { ...store, orderById } })
    const { orderid } = await sale(CALLED)
    await gateway.settled()
    const [{ id }] = (await get(`/orders/${orderid}`)).callbacks
    expect(await post('/callbacks/try', { callbackId: id, as: 'twice' })).toEqual({
      http: 200,
      answers: ['address not allowed', 'address not allowed'],
    })
  })

  test('of a callback that there is not is a 404, and an unknown one is refused', async () => {
    const { post } = sandboxed()
    expect((await post('/callbacks/try', { callbackId: '123456789012345-1', as: 'twice' })).http).toBe(404)
    expect(await post('/callbacks/try', { callbackId: '1', as: 'thrice' })).toMatchObject({ http: 400, field: 'as' })
  })
})

describe('the control key', () => {
  test('[F-E13] is said once, and to whoever has the operator key alone', async () => {
    const { gateway } = desk({ sandbox: true })
    const handle = createSandbox(gateway, { operatorKey: new Secret('a0c1b7f2d4e9836551f0c2ab9d7e4410') })
    const take = async (authorization: string) => {
      const headers = { authorization }
      const { status, body } = await handle({
        method: 'POST',
        url: '/__sandbox/setup/key',
        headers,
        body: '{"login":"shop"}',
      })
      return { status, body }
    }
    expect(await take('Bearer wrong')).toMatchObject({
      status: 401,
      body: expect.not.stringContaining(SHOP.controlKey),
    })
    const right = 'Bearer a0c1b7f2d4e9836551f0c2ab9d7e4410'
    expect(JSON.parse((await take(right)).body)).toEqual({ controlKey: SHOP.controlKey })
    expect(await take(right)).toMatchObject({ status: 400, body: expect.not.stringContaining(SHOP.controlKey) })
  })
})

test('[F-E12] an order says what may be done with it now, and of the rest which rule refuses it', async () => {
  const { get, preauth } = sandboxed()
  const { orderid } = await preauth()
  const { actions } = await get(`/orders/${orderid}`)
  expect(actions).toMatchObject([
    { action: 'capture', by: 'merchant', allowed: true, kind: 'capture', upTo: '10.42', partial: true },
    { action: 'void', by: 'merchant', allowed: true, kind: 'cancel', upTo: '10.42', partial: false },
    { action: 'return', by: 'merchant', allowed: true, kind: 'cancel', upTo: '10.42', partial: false },
    { action: 'pay', by: 'merchant', allowed: false, rule: 'S3-07' },
    { action: 'chargeback', by: 'issuer', allowed: false },
    { action: 'release', by: 'gateway', allowed: false },
    { action: 'store-card', by: 'merchant', allowed: true },
  ])
})
