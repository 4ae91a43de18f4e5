import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Gateway, memoryStore, newVaultKeys, readVaultKeys } from '../src/index.ts'
import { pooledRandomness } from '../src/runtime/system.ts'
import type { StoredOrder } from '../src/store-port.ts'
import { deciding, declined, UNKNOWN, undecided } from './support/acquirers.ts'
import { fieldsOf, oauthSigned, SHOP, sale, status } from './support/signed-requests.ts'
import { committing, failing } from './support/stores.ts'
import { testGateway } from './support/test-gateway.ts'

const INSIDE = new Error('connection to db.internal failed: password "hunter2"')
const CALLED = { server_callback_url: 'https://shop.example.com/cb' }
const ASKED = { client_orderid: 'inv-1' }

describe('a failure inside', () => {
  const payout = { client_orderid: 'out-1', amount: '1', currency: 'EUR', account_number: '1' }
  const signing = { method: 'HMAC-SHA1', key: SHOP.controlKey }

  test.for([
    ['commit', { store: failing('commit', INSIDE) }, sale()],
    ['findOrder', { store: failing('findOrder', INSIDE) }, status(ASKED)],
    ['commit', { store: failing('commit', INSIDE) }, oauthSigned('/api/v2/payout/1111', payout, signing)],
    ['tokenize', { acquirer: deciding({ tokenize: () => Promise.reject(INSIDE) }) }, sale()],
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
      const reported = heard.map(([error, of]) => [String(error).endsWith(String(INSIDE.message)), of])
      expect(reported).toEqual([[true, serialNumber]])
    },
  )

  test('of a server that hands over something that is no request is a 500 as well', async () => {
    const { gateway, heard } = testGateway()
    const reply = await gateway.handle({ ...sale(), body: undefined as never })
    expect([reply.status, fieldsOf(reply)['error-code']]).toEqual([500, '6'])
    expect(heard).toEqual([[expect.any(TypeError), fieldsOf(reply)['serial-number']]])
  })

  test.for([
    ['has no address', { ...sale(), url: undefined }, 500],
    ['has no method', { ...sale(), method: undefined }, 405],
    ['has no headers', { ...sale(), headers: undefined }, 500],
    ['has no headers and is for a page', { ...sale(), method: 'GET', url: '/paynet/form/x', headers: undefined }, 500],
    ['is empty', {}, 500],
    ['is nothing', undefined, 500],
  ] as const)('of a server that hands over what %s is answered, and nothing is thrown', async ([, request, status]) => {
    for (const sandbox of [false, true]) {
      const { gateway, heard } = testGateway({ sandbox })
      const reply = await gateway.handle(request as never)
      expect(reply.status).toBe(status)
      const told = status === 500 ? [[expect.any(TypeError), fieldsOf(reply)['serial-number']]] : []
      expect(heard).toEqual(told)
    }
  })

  test('[S4-08] is a 500 in the classic format too', async () => {
    const { gateway } = testGateway({ store: failing('findOrder', INSIDE), replyFormat: 'classic' })
    const request = status(ASKED)
    const reply = await gateway.handle({ ...request, headers: { ...request.headers, accept: undefined } })
    expect(reply.status).toBe(500)
    expect(reply.body).toContain('type=error\n')
  })

  test('is a 500 also when nobody listens, or when the listener throws', async () => {
    const store = failing('findOrder', INSIDE)
    const throwing = () => {
      throw new Error('the log is full')
    }
    // An unhandled rejection of the async one would end the process, and fail these tests.
    for (const onError of [undefined, throwing, (async () => throwing()) as () => void]) {
      const { gateway } = testGateway({ store, onError })
      expect(await gateway.handle(status(ASKED))).toMatchObject({ status: 500 })
    }
  })

  test('of the acquirer after the acknowledgement leaves the outcome unknown, and is reported', async () => {
    const execute = () => Promise.reject(INSIDE)
    const { gateway, heard, calls } = testGateway({ acquirer: deciding({ execute }) })
    const reply = await gateway.handle(sale(CALLED))
    expect(reply).toMatchObject({ status: 200 })
    await gateway.settled()
    const failed = new Error(`The acquirer has failed in execute: ${INSIDE.message}`, { cause: INSIDE })
    expect(heard).toEqual([[failed, fieldsOf(reply)['serial-number']]])
    expect(calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['unknown'])
    expect(fieldsOf(await gateway.handle(status(ASKED)))['status']).toBe('unknown')
  })

  test('of the store after the acknowledgement is reported, and a listener that throws harms nothing', async () => {
    let times = 0
    const onError = () => {
      times++
      throw new Error('the log is full')
    }
    const store = committing(async ({ order }, commit) => {
      if (order?.basedOn === 'nothing') return await commit()
      throw INSIDE
    })
    const { gateway } = testGateway({ store, onError })
    await gateway.handle(sale())
    await gateway.settled()
    expect(times).toBe(1)
    expect(fieldsOf(await gateway.handle(status(ASKED)))['status']).toBe('processing')
  })
})

describe('the time to answer', () => {
  test('[G13-07] [S4-08] is 30 s: then the caller gets a 500 and has to ask for the status', async () => {
    const answered = Promise.withResolvers<StoredOrder | undefined>()
    const store = { ...memoryStore(), findOrder: () => answered.promise }
    const { gateway, clock, heard } = testGateway({ store })
    let replied = false
    const reply = gateway.handle(status(ASKED))
    void reply.then(() => (replied = true))
    await gateway.isReady()
    await clock.advance(29_999)
    await gateway.settled()
    expect(replied).toBe(false)
    await clock.advance(1)
    expect(await reply).toMatchObject({ status: 500 })
    expect(fieldsOf(await reply)).toMatchObject({ type: 'error', 'error-code': '6' })
    expect(heard).toEqual([[expect.any(Error), fieldsOf(await reply)['serial-number']]])
    answered.reject(new Error('and failed in the end'))
  })

  test('a sale whose reply came too late exists: the repeat gets its acknowledgement', async () => {
    const slow = Promise.withResolvers<void>()
    const store = committing(async ({ order }, commit) => {
      const committed = await commit()
      if (order?.basedOn === 'nothing') await slow.promise
      return committed
    })
    const { gateway, clock } = testGateway({ store })
    const late = gateway.handle(sale())
    await gateway.isReady()
    await clock.advance(30_000)
    expect(await late).toMatchObject({ status: 500 })
    slow.resolve()
    expect(fieldsOf(await gateway.handle(sale()))).toMatchObject({
      type: 'async-response',
      'merchant-order-id': 'inv-1',
    })
    await gateway.settled()
    expect(fieldsOf(await gateway.handle(status(ASKED)))['status']).toBe('approved')
  })

  test('an answer in time leaves no timer behind', async () => {
    const { gateway, clock, heard } = testGateway()
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
    await clock.advance(60_000)
    await gateway.settled()
    expect(heard).toEqual([])
  })
})

describe('being ready', () => {
  test('is being able to write to the store', async () => {
    let isReady = true
    const { gateway } = testGateway({ store: { ...memoryStore(), isReady: async () => isReady } })
    expect(await gateway.isReady()).toBe(true)
    isReady = false
    expect(await gateway.isReady()).toBe(false)
  })

  test('is not said of a store that fails', async () => {
    expect(await testGateway({ store: failing('isReady', INSIDE) }).gateway.isReady()).toBe(false)
  })

  test('waits until it is known what the last process left', async () => {
    const left = Promise.withResolvers<string[]>()
    const { gateway } = testGateway({ store: { ...memoryStore(), sentOrders: () => left.promise } })
    let answered = 0
    const answers = [gateway.isReady(), gateway.handle(sale())]
    for (const answer of answers) void answer.then(() => answered++)
    await new Promise(setImmediate)
    expect(answered).toBe(0)
    left.resolve([])
    expect(await Promise.all(answers)).toMatchObject([true, { status: 200 }])
  })

  test('what is left cannot be read: every request is a 500, and it is reported though nobody asks', async () => {
    const { gateway, heard } = testGateway({ store: failing('sentOrders', INSIDE) })
    expect(await gateway.isReady()).toBe(false)
    expect(heard).toEqual([[INSIDE, undefined]])
    expect(await gateway.handle(sale())).toMatchObject({ status: 500 })
    await gateway.close()
  })
})

describe('another key for stored cards', () => {
  test('[F-B2] brings the cards of the store under it, which is recorded, and they stay usable', async () => {
    const random = pooledRandomness()
    const first: Record<string, unknown> = JSON.parse(newVaultKeys(random, 'first').reveal())
    const second: Record<string, unknown> = JSON.parse(newVaultKeys(random, 'second').reveal())
    const wrapping = { ...Object(first['wrapping']), ...Object(second['wrapping']) }
    const both = readVaultKeys(JSON.stringify({ ...first, current: 'second', wrapping }))
    const { gateway, store } = testGateway({ vaultKeys: readVaultKeys(JSON.stringify(first)) })
    await gateway.handle(sale())
    await gateway.close()
    const next = testGateway({ store, vaultKeys: both })
    expect(await next.gateway.rotateCards()).toMatchObject({ rewrapped: 1, refused: 0, complete: true })
    expect(await next.gateway.rotateCards(new AbortController().signal)).toMatchObject({ rewrapped: 0, complete: true })
    expect(await store.cardsNotUnder('second', '', 10)).toEqual([])
    expect(await store.operatorRecords({ limit: 9 })).toMatchObject([
      { who: 'program', act: 'rotate-keys', subject: 'second', after: '1 cards brought under it, 0 that do not open' },
    ])
  })
})

test('a stored card that does not open under any key is reported by its id, and counted', async () => {
  const random = pooledRandomness()
  const { gateway, store } = testGateway({ vaultKeys: readVaultKeys(newVaultKeys(random, 'first').reveal()) })
  await gateway.handle(sale())
  await gateway.close()
  const next = testGateway({ store, vaultKeys: readVaultKeys(newVaultKeys(random, 'second').reveal()) })
  expect(await next.gateway.rotateCards()).toMatchObject({ rewrapped: 0, refused: 1, complete: false })
  const [card] = await store.cardsNotUnder('second', '', 10)
  expect(next.heard.map(([error]) => String(error))).toEqual([
    `VaultError: card ${card?.cardId} is under the key first, which the vault lacks`,
  ])
})

describe('the end', () => {
  afterEach(() => void vi.useRealTimers())

  /** Expects the gateway to close after 20 seconds, and not before, because something is not answered. */
  async function endAfterPatience(gateway: Pick<Gateway, 'close'>) {
    const ended: string[] = []
    const closing = gateway.close().then(() => void ended.push('closed'))
    await vi.advanceTimersByTimeAsync(19_999)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await closing
  }

  test('waits for what was acknowledged to be decided; its callback stays in the store for the next process', async () => {
    const { execute, decide } = undecided()
    const inner = memoryStore()
    const ended: string[] = []
    const store = { ...inner, close: async () => void ended.push('store closed') }
    const { gateway, calls } = testGateway({ store, acquirer: deciding({ execute }) })
    const orderId = fieldsOf(await gateway.handle(sale(CALLED)))['paynet-order-id'] ?? ''
    const closing = gateway.close().then(() => void ended.push('closed'))
    await Promise.resolve()
    expect(ended).toEqual([])
    decide(declined())
    await closing
    expect(ended).toEqual(['store closed', 'closed'])
    expect((await inner.orderById(orderId))?.operations).toMatchObject([{ status: 'declined' }])
    expect(calls).toEqual([])
    const next = testGateway({ store: inner })
    await next.gateway.isReady()
    await next.gateway.settled()
    expect(next.calls).toHaveLength(1)
  })

  test('does not wait for ever for an acquirer: what it has not answered is looked up by the next process', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { gateway, store, heard } = testGateway({ acquirer: deciding({ execute: undecided().execute }) })
    const orderId = fieldsOf(await gateway.handle(sale()))['paynet-order-id'] ?? ''
    await endAfterPatience(gateway)
    expect(heard).toEqual([])
    expect((await store.orderById(orderId))?.operations).toMatchObject([{ status: 'sent' }])
    const next = testGateway({ store })
    await next.gateway.isReady()
    await next.gateway.settled()
    expect((await store.orderById(orderId))?.operations).toMatchObject([{ status: 'approved' }])
  })

  test('does not wait longer where a shop does not answer either: its callback is sent again by the next process', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const calling = Promise.withResolvers<void>()
    const sendCallback = () => {
      calling.resolve()
      return new Promise<never>(() => {})
    }
    const { gateway, store, clock } = testGateway({ sendCallback })
    await gateway.handle(sale(CALLED))
    await calling.promise
    await endAfterPatience(gateway)
    const next = testGateway({ store, clock })
    await next.gateway.isReady()
    await clock.advance('2m')
    expect(next.calls).toHaveLength(1)
  })

  test('leaves no timer behind: nothing is looked up or released after it', async () => {
    const { gateway, clock, store } = testGateway({ acquirer: deciding({ execute: async () => UNKNOWN }) })
    const orderId = fieldsOf(await gateway.handle(sale()))['paynet-order-id'] ?? ''
    await gateway.close()
    await clock.advance('30d')
    expect((await store.orderById(orderId))?.operations).toMatchObject([{ status: 'unknown' }])
  })

  test('comes at once when there is nothing to wait for', async () => {
    const { gateway, clock } = testGateway()
    expect(gateway.clock).toBe(clock)
    await gateway.close()
  })
})
