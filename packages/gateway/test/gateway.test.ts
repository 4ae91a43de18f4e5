import { describe, expect, test } from 'vitest'
import { type Acquirer, type Decision, memoryStore, type Order, type Store, simulator } from '../src/index.ts'
import { fieldsOf, oauthSigned, SHOP, sale, status, testGateway } from './support/signed-requests.ts'

const INSIDE = new Error('connection to db.internal failed: password "hunter2"')

function failingStore(part: keyof Store): Store {
  return { ...memoryStore(), [part]: () => Promise.reject(INSIDE) }
}

function acquirer(part: Partial<Acquirer>): Acquirer {
  return { ...simulator(), ...part }
}

describe('a failure inside', () => {
  const payout = { client_orderid: 'out-1', amount: '1', currency: 'EUR', account_number: '1' }
  const signing = { method: 'HMAC-SHA1', key: SHOP.controlKey }

  test.for([
    ['insertOrder', { store: failingStore('insertOrder') }, sale()],
    ['findOrder', { store: failingStore('findOrder') }, status({ client_orderid: 'inv-1' })],
    ['burnNonce', { store: failingStore('burnNonce') }, oauthSigned('/api/v2/payout/1111', payout, signing)],
    ['prepare', { acquirer: acquirer({ prepare: () => Promise.reject(INSIDE) }) }, sale()],
  ] as const)(
    '[S4-08] [S7-02] [G4-06] [G9-01] of %s is a 500 that tells nothing of it, and is reported under its serial number',
    async ([, options, request]) => {
      const { gateway, heard } = testGateway(options)
      const reply = await gateway.handle(request)
      expect([reply.status, reply.headers['content-type']]).toEqual([500, 'application/vnd.pay+json'])
      const { 'serial-number': serialNumber, 'error-message': message, ...rest } = fieldsOf(reply)
      expect(rest).toEqual({ type: 'error', 'error-code': '6' })
      expect(message).toContain('status')
      expect(reply.body).not.toMatch(/hunter2|db\.internal|Error|\.ts/)
      expect(heard).toEqual([[INSIDE, serialNumber]])
    },
  )

  test('of a server that hands over something that is no request is a 500 as well', async () => {
    const { gateway, heard } = testGateway()
    const reply = await gateway.handle({ ...sale(), body: undefined as never })
    expect([reply.status, fieldsOf(reply)['error-code']]).toEqual([500, '6'])
    expect(heard).toEqual([[expect.any(TypeError), fieldsOf(reply)['serial-number']]])
  })

  test('[S4-08] is a 500 in the classic format too', async () => {
    const { gateway } = testGateway({ store: failingStore('findOrder'), replyFormat: 'classic' })
    const request = status({ client_orderid: 'inv-1' })
    const reply = await gateway.handle({ ...request, headers: { ...request.headers, accept: undefined } })
    expect(reply.status).toBe(500)
    expect(reply.body).toContain('type=error\n')
  })

  test('is a 500 also when nobody listens, or when the listener throws', async () => {
    const store = failingStore('findOrder')
    const throwing = () => {
      throw new Error('the log is full')
    }
    for (const onError of [undefined, throwing]) {
      const { gateway } = testGateway({ store, ...(onError === undefined ? {} : { onError }) })
      expect(await gateway.handle(status({ client_orderid: 'inv-1' }))).toMatchObject({ status: 500 })
    }
  })

  test('of the acquirer after the acknowledgement leaves the order processing, and is reported', async () => {
    const authorize = () => Promise.reject(INSIDE)
    const { gateway, heard, calls } = testGateway({ acquirer: acquirer({ authorize }) })
    expect(await gateway.handle(sale({ server_callback_url: 'https://shop.example.com' }))).toMatchObject({
      status: 200,
    })
    await gateway.settled()
    expect(heard).toEqual([[INSIDE, undefined]])
    expect(calls).toEqual([])
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['status']).toBe('processing')
  })

  test('of the store after the acknowledgement is reported, and a listener that throws harms nothing', async () => {
    let times = 0
    const onError = () => {
      times++
      throw new Error('the log is full')
    }
    const { gateway } = testGateway({ store: failingStore('decideOrder'), onError })
    await gateway.handle(sale())
    await gateway.settled()
    expect(times).toBe(1)
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['status']).toBe('processing')
  })
})

describe('the time to answer', () => {
  test('[G13-07] [S4-08] is 30 s: then the caller gets a 500 and has to ask for the status', async () => {
    const answered = Promise.withResolvers<Order | undefined>()
    const store = { ...memoryStore(), findOrder: () => answered.promise }
    const { gateway, clock, heard } = testGateway({ store })
    let replied = false
    const reply = gateway.handle(status({ client_orderid: 'inv-1' }))
    void reply.then(() => (replied = true))
    clock.advance(29_999)
    await gateway.settled()
    expect(replied).toBe(false)
    clock.advance(1)
    expect(await reply).toMatchObject({ status: 500 })
    expect(fieldsOf(await reply)).toMatchObject({ type: 'error', 'error-code': '6' })
    expect(heard).toEqual([[expect.any(Error), fieldsOf(await reply)['serial-number']]])
    answered.reject(new Error('and failed in the end'))
  })

  test('a sale whose reply came too late exists: the repeat gets its acknowledgement', async () => {
    const slow = Promise.withResolvers<void>()
    const inner = memoryStore()
    const store = {
      ...inner,
      insertOrder: async (order: Order) => {
        const result = await inner.insertOrder(order)
        await slow.promise
        return result
      },
    }
    const { gateway, clock } = testGateway({ store })
    const late = gateway.handle(sale())
    clock.advance(30_000)
    expect(await late).toMatchObject({ status: 500 })
    slow.resolve()
    expect(fieldsOf(await gateway.handle(sale()))).toMatchObject({
      type: 'async-response',
      'merchant-order-id': 'inv-1',
    })
    await gateway.settled()
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['status']).toBe('approved')
  })

  test('an answer in time leaves no timer behind', async () => {
    const { gateway, clock, heard } = testGateway()
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
    clock.advance(60_000)
    await gateway.settled()
    expect(heard).toEqual([])
  })
})

describe('the end', () => {
  test('waits for what was acknowledged to be decided and called back', async () => {
    const decided = Promise.withResolvers<Decision>()
    const { gateway, calls } = testGateway({ acquirer: acquirer({ authorize: () => decided.promise }) })
    await gateway.handle(sale({ server_callback_url: 'https://shop.example.com/' }))
    let closed = false
    const closing = gateway.close().then(() => (closed = true))
    await Promise.resolve()
    expect([closed, calls.length]).toEqual([false, 0])
    decided.resolve({ status: 'declined', errorCode: '100', errorMessage: 'Do not honour' })
    await closing
    expect(calls).toHaveLength(1)
  })

  test('comes at once when there is nothing to wait for', async () => {
    const { gateway, clock } = testGateway()
    expect(gateway.clock).toBe(clock)
    await gateway.close()
  })
})
