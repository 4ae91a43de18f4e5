import type { GatewayReply } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import {
  type DecisionEvent,
  type GatewayRequest,
  type LimitEvent,
  memoryStore,
  type RequestEvent,
  simulator,
} from '../src/index.ts'
import type { Store, StoredOrder } from '../src/store-port.ts'
import { deciding, undecided } from './support/acquirers.ts'
import { FORMULAS } from './support/formulas.ts'
import {
  controlled,
  type Fields,
  fieldsOf,
  form,
  PAYER,
  post,
  RIVAL,
  SALE,
  SHOP,
  sale,
  status,
} from './support/signed-requests.ts'
import { recording } from './support/stores.ts'
import { type TestGatewayOptions, testGateway } from './support/test-gateway.ts'

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
    const reached: LimitEvent[] = []
    const hangs = Promise.withResolvers<never>()
    const inner = simulator()
    const acquirer = deciding({
      tokenize: (preparation) => (preparation.login === SHOP.login ? hangs.promise : inner.tokenize(preparation)),
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
    const answers: RequestEvent[] = []
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
    expect(answers).toMatchObject(
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
    const answers: RequestEvent[] = []
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

describe('a refusal is told to the operator', () => {
  const posted = (path: string, fields: Fields) => post(path, form(fields))

  /** What the log has of the answer to a request, of a gateway that is no sandbox. */
  async function refusalOf(request: GatewayRequest, options: TestGatewayOptions = {}) {
    const answers: RequestEvent[] = []
    const { gateway } = testGateway({ ...options, onAnswer: (answered) => void answers.push(answered) })
    const reply = await gateway.handle({ ...request, peer: '203.0.113.7' })
    return { reply, status: answers[0]?.httpStatus, refused: answers[0]?.refused }
  }

  test('[F-B12] with endpoint, claimed login, peer and reason, of which the stranger hears nothing', async () => {
    const { reply, status, refused } = await refusalOf({
      ...sale(),
      url: '/paynet/api/v2/sale/9999?card=4444333322221111',
    })
    expect([status, refused]).toEqual([
      403,
      {
        method: 'POST',
        path: '/paynet/api/v2/sale/9999',
        peer: '203.0.113.7',
        endpointId: '9999',
        login: undefined,
        clientOrderId: 'inv-1',
        reason: 'There is no endpoint or group of this id: look at the end of the path.',
      },
    ])
    expect(fieldsOf(reply)['error-message']).toBe('The signature of this request is not accepted.')
  })

  test.for<readonly [string, GatewayRequest, number, object]>([
    [
      'a wrong control',
      { ...sale(), body: sale().body.replace(/control=\w/, 'control=_') },
      403,
      { reason: 'The control does not fit.' },
    ],
    [
      'no control',
      posted('/api/v2/sale/1111', { client_orderid: 'x' }),
      403,
      { clientOrderId: 'x', reason: expect.stringContaining('control is missing') },
    ],
    [
      'another login',
      posted('/api/v2/status/1111', { login: 'rival', client_orderid: 'x' }),
      403,
      { login: 'rival', reason: expect.stringContaining('The login rival is not that of the merchant') },
    ],
    [
      'no OAuth',
      posted('/api/v2/payout/1111', { client_orderid: 'x' }),
      403,
      { reason: expect.stringContaining('Authorization is missing') },
    ],
    ['another method', { ...sale(), method: 'GET' }, 405, { method: 'GET', reason: 'Every operation is a POST.' }],
    [
      'no form',
      { ...sale(), headers: { accept: 'application/vnd.pay+json' } },
      415,
      { path: '/paynet/api/v2/sale/1111' },
    ],
    [
      'the token of a page, as a path',
      { ...sale(), url: '/paynet/nothing/Kq3vX9mZr7TbW2yNcP5AQQ' },
      404,
      { path: '/paynet/nothing/***' },
    ],
  ])('[F-B12] of %s', async ([, request, status, facts]) => {
    expect(await refusalOf(request)).toMatchObject({ status, refused: facts })
  })

  test('[F-B12] and an answer that is none has no reason', async () => {
    expect(await refusalOf(sale())).toMatchObject({ status: 200, refused: undefined })
  })

  test('[F-B12] what became of an operation is told once, when it is known', async () => {
    const told: DecisionEvent[] = []
    const { execute, decide } = undecided()
    const { gateway } = testGateway({
      acquirer: deciding({ execute }),
      onDecision: (decided) => void told.push(decided),
    })
    const fields = fieldsOf(await gateway.handle(sale()))
    const orderId = fields['paynet-order-id'] ?? ''
    expect(told).toEqual([])
    decide({ status: 'declined', errorCode: '116', errorMessage: 'Not sufficient funds' })
    await gateway.settled()
    expect(told).toEqual([
      {
        orderId,
        operationId: `${orderId}-1`,
        kind: 'sale',
        status: 'declined',
        errorCode: '116',
        login: 'shop',
        endpointId: '1111',
        clientOrderId: 'inv-1',
        serialNumber: fields['serial-number'],
      },
    ])
  })

  test.for([
    ['/api/v2/saleform/1111', '/api/v2/sale-form/1111'],
    ['/api/v2/Sale_Form/group/7/', '/api/v2/sale-form/group/7'],
    ['/api/v2/sael/1111', '/api/v2/sale/1111'],
    ['/api/v4/sale/1111', '/api/v2/sale/1111'],
    ['/api/v2/sale', '/api/v2/sale/ENDPOINT_ID'],
  ])(
    '[F-C18] a wrong path names the one that was meant, in a sandbox to the caller as well: %s',
    async ([path, meant]) => {
      const request = { ...sale(), url: `/paynet${path}` }
      const hint = `Did you mean /paynet${meant}?`
      const inside = await refusalOf(request)
      expect(inside).toMatchObject({ status: 404, refused: { reason: expect.stringContaining(hint) } })
      expect(inside.reply.body).not.toContain('Did you mean')
      expect((await refusalOf(request, { sandbox: true })).reply.body).toContain(hint)
    },
  )

  test('[F-C18] a path that is like none is compared with nothing', async () => {
    const { refused } = await refusalOf({ ...sale(), url: '/paynet/wp-login.php' })
    expect(refused?.reason).toBe('There is no operation at this address; check path and endpoint id.')
  })
})
