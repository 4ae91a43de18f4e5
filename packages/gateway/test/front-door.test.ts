import type { GatewayReply } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { type Answered, type LimitReached, memoryStore, type Store, type StoredOrder, simulator } from '../src/index.ts'
import { deciding, undecided } from './support/acquirers.ts'
import { FORMULAS } from './support/formulas.ts'
import { controlled, fieldsOf, form, PAYER, RIVAL, SALE, SHOP, sale, status } from './support/signed-requests.ts'
import { recording } from './support/stores.ts'
import { testGateway } from './support/test-gateway.ts'

describe('a gateway that has too much to do', () => {
  test('answers 503 before anything is written, and asks to come again in a second', async () => {
    const found = Promise.withResolvers<StoredOrder | undefined>()
    const { store: inner, changes } = recording()
    const store = { ...inner, findOrder: () => found.promise }
    const { gateway } = testGateway({ store, maxConcurrentRequests: 2, maxConcurrentRequestsPerMerchant: 2 })
    const slow = [gateway.handle(status({ client_orderid: 'a' })), gateway.handle(status({ client_orderid: 'b' }))]
    const reply = await gateway.handle(sale())
    expect([reply.status, reply.headers['retry-after'], reply.headers['content-type']]).toEqual([
      503,
      '1',
      'application/vnd.pay+json',
    ])
    const { 'serial-number': serialNumber, 'error-message': message, ...rest } = fieldsOf(reply)
    expect([rest, message]).toEqual([
      { type: 'error', 'error-code': '11' },
      expect.stringContaining('nothing was created'),
    ])
    expect(serialNumber).toMatch(/^[\da-f-]{36}$/)
    expect(changes).toEqual([])
    found.resolve(undefined)
    await Promise.all(slow)
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
  })

  test('is that only for requests: what they left to be done does not count', async () => {
    const { execute, decide } = undecided()
    const { gateway } = testGateway({ acquirer: deciding({ execute }), maxConcurrentRequests: 1 })
    for (const each of [1, 2, 3]) {
      expect(await gateway.handle(sale({ client_orderid: `inv-${each}` }))).toMatchObject({ status: 200 })
    }
    decide({ status: 'unknown' })
    await gateway.settled()
  })

  test('says so in the classic format as well', async () => {
    const store = { ...memoryStore(), findOrder: () => Promise.withResolvers<StoredOrder | undefined>().promise }
    const { gateway } = testGateway({ store, maxConcurrentRequests: 1, replyFormat: 'classic' })
    void gateway.handle(status({ client_orderid: 'a' }))
    const request = sale()
    const reply = await gateway.handle({ ...request, headers: { ...request.headers, accept: undefined } })
    expect([reply.status, reply.body.includes('error-code=11\n')]).toEqual([503, true])
  })
})

describe('[F-B6] two merchants, one with a bank that does not answer', () => {
  /** A gateway whose bank takes no card of `shop`, and what it told about limits. */
  function slowBank() {
    const reached: LimitReached[] = []
    const hangs = Promise.withResolvers<never>()
    const inner = simulator()
    const acquirer = deciding({
      prepare: (preparation) => (preparation.login === SHOP.login ? hangs.promise : inner.prepare(preparation)),
    })
    return { ...testGateway({ acquirer, onLimit: (each) => reached.push(each) }), reached }
  }

  test('get half of the requests under way each at most, and the other notices nothing', async () => {
    const { gateway, reached } = slowBank()
    const refused: GatewayReply[] = []
    for (let at = 0; at < 1300; at++) {
      void gateway.handle(sale({ client_orderid: `inv-${at}` })).then((reply) => refused.push(reply))
      if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(await gateway.handle(sale({}, RIVAL))).toMatchObject({ status: 200 })
    expect(refused).toHaveLength(800)
    expect(refused[0]).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(fieldsOf(refused[0] as GatewayReply)).toMatchObject({
      'error-code': '11',
      'error-message': 'This merchant has too much to do; nothing was created. Try again in a second.',
    })
    expect(new Set(reached.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ limit: 'requests', login: SHOP.login })]),
    )
  })

  test('leave the customers of the other their pages', async () => {
    const { gateway } = slowBank()
    const fields = { ...PAYER, amount: '10.42', currency: 'EUR', redirect_url: 'https://rival.example.com/return' }
    const made = fieldsOf(await gateway.handle(controlled('/api/v2/sale-form', FORMULAS.paid, fields, RIVAL)))
    const page = new URL(made['redirect-url'] ?? '').pathname
    for (let at = 0; at < 600; at++) void gateway.handle(sale({ client_orderid: `inv-${at}` }))
    await new Promise((resolve) => setImmediate(resolve))
    expect(await gateway.handle({ method: 'GET', url: page, headers: {}, body: '' })).toMatchObject({ status: 200 })
  })
})

describe('a request that is under way', () => {
  /** A store whose reading takes a turn of the event loop, as behind a socket, or never ends. `begun` says when it has begun. */
  function readLater(isEverRead: boolean) {
    const inner = memoryStore()
    const begun = Promise.withResolvers<void>()
    const findOrder: Store['findOrder'] = async (names) => {
      begun.resolve()
      await new Promise<void>((read) => isEverRead && setImmediate(read))
      return await inner.findOrder(names)
    }
    return { store: { ...inner, findOrder }, begun: begun.promise }
  }

  test.for([
    ['is answered when the clock jumps over its time, as the answer was only to be read', true, 200],
    ['is answered 500 when its time is over and there is no answer', false, 500],
  ] as const)('%s', async ([, isEverRead, expected]) => {
    const { store, begun } = readLater(isEverRead)
    const { gateway, clock } = testGateway({ store })
    await gateway.handle(sale())
    const asked = gateway.handle(status({ client_orderid: 'inv-1' }))
    await begun
    await clock.advance('14d')
    expect((await asked).status).toBe(expected)
  })
})

describe('who listens to answers', () => {
  test('hears of each: its number, operation, status, code, order and time', async () => {
    const answers: Answered[] = []
    const found = Promise.withResolvers<StoredOrder | undefined>()
    const kept = memoryStore()
    const store: Store = {
      ...kept,
      findOrder: (names) => (names.clientOrderId === 'nobody' ? found.promise : kept.findOrder(names)),
    }
    const { gateway, clock } = testGateway({ store, onAnswer: (answered) => void answers.push(answered) })
    const taken = await gateway.handle(sale())
    const refused = await gateway.handle(sale({ city: '', client_orderid: 'inv-2' }))
    const forbidden = await gateway.handle({ ...sale(), body: form(SALE) })
    const nowhere = await gateway.handle({ ...sale(), url: '/paynet/api/v2/sail/1111' })
    const asked = gateway.handle(status({ client_orderid: 'nobody' }))
    await clock.advance(1500)
    found.resolve(undefined)
    const late = await asked
    expect(answers).toEqual(
      [
        [taken, 'sale', 200, undefined, fieldsOf(taken)['paynet-order-id'], 0] as const,
        [refused, 'sale', 400, '1', undefined, 0] as const,
        [forbidden, 'sale', 403, '4', undefined, 0] as const,
        [nowhere, undefined, 404, '5', undefined, 0] as const,
        [late, 'status', 400, '2', undefined, 1500] as const,
      ].map(([reply, operation, httpStatus, errorCode, orderId, milliseconds]) => ({
        serialNumber: fieldsOf(reply)['serial-number'],
        operation,
        httpStatus,
        errorCode,
        orderId,
        milliseconds,
      })),
    )
  })

  test('is told the status as it is meant, also where the classic format answers 200', async () => {
    const answers: Answered[] = []
    const { gateway } = testGateway({ replyFormat: 'classic', onAnswer: (answered) => void answers.push(answered) })
    const request = sale({ city: '' })
    const reply = await gateway.handle({ ...request, headers: { ...request.headers, accept: undefined } })
    expect([reply.status, answers[0]?.httpStatus]).toEqual([200, 400])
  })

  const full = new Error('the log is full')
  const throwing = () => {
    throw full
  }
  test.for([
    ['throws', throwing],
    ['is async, and throws', async () => throwing()],
  ] as const)('and %s takes no answer with it, and is reported', async ([, onAnswer]) => {
    const { gateway, heard } = testGateway({ onAnswer: onAnswer as () => void })
    const reply = await gateway.handle(sale())
    expect(reply.status).toBe(200)
    expect(heard).toEqual([[full, fieldsOf(reply)['serial-number']]])
  })
})
