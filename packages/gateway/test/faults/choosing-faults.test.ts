import { describe, expect, test } from 'vitest'
import { FAULTS, type FaultName } from '../../src/index.ts'
import { listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { SALE, sale, status } from '../support/signed-requests.ts'

const CALLED = { server_callback_url: 'https://shop.example.com/cb' }
const sandbox = (changes: Parameters<typeof desk>[0] = {}) => desk({ sandbox: true, ...changes })

describe('a fault that a test requests', () => {
  test('comes with the next request of an operation, and no other', async () => {
    const { gateway, sale: sell, told } = sandbox()
    gateway.faults.next('status', 'html-page')
    await sell()
    expect((await gateway.handle(status({ client_orderid: 'inv-1' }))).headers['content-type']).toMatch(/^text\/html/)
    expect((await told({ client_orderid: 'inv-1' }))['status']).toBe('approved')
  })

  test('comes as often as it is requested, in that order', async () => {
    const { gateway } = sandbox()
    for (const fault of ['overloaded', 'reply-lost-before-commit'] as const) gateway.faults.next('sale', fault)
    const statuses = [await gateway.handle(sale()), await gateway.handle(sale()), await gateway.handle(sale())]
    expect(statuses.map((reply) => reply.status)).toEqual([503, 0, 200])
  })

  test('that is not of a reply goes to the order that the next request names', async () => {
    const { gateway, calls, sale: sell } = sandbox()
    gateway.faults.next('sale', 'callback-twice')
    await sell(CALLED)
    expect(calls).toHaveLength(2)
    await sell(CALLED)
    expect(calls).toHaveLength(3)
  })

  test('of an outcome goes to the next operation of its order', async () => {
    const { acquirer, executed } = listening()
    const { gateway, preauth, capture, told, clock } = sandbox({ acquirer })
    const ids = await preauth()
    gateway.faults.next('capture', 'unknown-then-declined')
    await capture(ids)
    expect(executed.map(({ kind }) => kind)).toEqual(['preauth'])
    expect(await told(ids)).toMatchObject({ status: 'unknown', 'transaction-type': 'capture' })
    await clock.advance('1m')
    expect(await told(ids)).toMatchObject({ status: 'declined', 'transaction-type': 'capture', amount: '10.42' })
    await capture(ids)
    expect(await told(ids)).toMatchObject({ status: 'approved', 'transaction-type': 'capture' })
  })

  test('of a reply strikes an existing order at its next change, not when it is read', async () => {
    const { gateway, preauth, told, request } = sandbox()
    const ids = await preauth()
    gateway.faults.forOrder('inv-1', 'reply-lost-after-commit')
    expect((await told(ids))['status']).toBe('approved')
    expect(await gateway.handle(request('/api/v2/capture', ids))).toMatchObject({ cut: 'before-reply' })
    await gateway.settled()
    expect(await told(ids)).toMatchObject({ status: 'approved', 'transaction-type': 'capture' })
  })

  test('is listed until the faults are cleared', async () => {
    const { gateway, calls, sale: sell } = sandbox()
    gateway.faults.next('sale', 'overloaded')
    gateway.faults.forOrder('inv-1', 'callback-twice')
    gateway.faults.forOrder('inv-9', 'slow-reply')
    expect(gateway.faults.list()).toEqual({
      seed: undefined,
      next: [{ operation: 'sale', fault: 'overloaded' }],
      orders: [
        { clientOrderId: 'inv-1', fault: 'callback-twice' },
        { clientOrderId: 'inv-9', fault: 'slow-reply' },
      ],
      struck: [],
    })
    gateway.faults.clear()
    await sell(CALLED)
    expect(calls).toHaveLength(1)
    expect(gateway.faults.list()).toEqual({ seed: undefined, next: [], orders: [], struck: [] })
  })

  test('that happened is listed as such, and no longer as requested', async () => {
    const { gateway } = sandbox()
    gateway.faults.forOrder('inv-1', 'overloaded')
    await gateway.handle(sale())
    expect(gateway.faults.list()).toMatchObject({
      orders: [],
      struck: [{ clientOrderId: 'inv-1', fault: 'overloaded' }],
    })
  })

  test.for<readonly [ask: (faults: ReturnType<typeof sandbox>['gateway']['faults']) => void, problem: string]>([
    [
      (faults) => faults.next('sale', 'html' as FaultName),
      'there is no fault html; there are reply-lost-before-commit, ',
    ],
    [(faults) => faults.forOrder('inv-1', 'toString' as FaultName), 'there is no fault toString'],
    [(faults) => faults.next('sail' as 'sale', 'overloaded'), 'there is no operation sail'],
    [
      (faults) => faults.next('getCardInfo', 'callback-never'),
      'getCardInfo names no order that could have callback-never',
    ],
    [(faults) => faults.forOrder('', 'overloaded'), 'clientOrderId must be a text'],
  ])('that cannot be is refused (%#)', ([ask, problem]) => {
    const { faults } = sandbox().gateway
    expect(() => ask(faults)).toThrow(TypeError)
    expect(() => ask(faults)).toThrow(problem)
  })
})

describe('a fault by amount or card', () => {
  test('strikes an order once: the same request again is answered', async () => {
    const { gateway } = sandbox()
    const request = sale({ amount: '666.05' })
    expect([(await gateway.handle(request)).status, (await gateway.handle(request)).status]).toEqual([503, 200])
  })

  test('is also the fault of a payout to the card', async () => {
    const { gateway, oauth, newId } = sandbox()
    const card = FAULTS['reply-lost-after-commit'].card
    const payout = { client_orderid: newId(), amount: '5.00', currency: 'EUR', credit_card_number: card }
    expect(await gateway.handle(oauth('/api/v2/payout', payout))).toMatchObject({ cut: 'before-reply' })
  })

  test('does not come if only the first six or only the last four digits of the card match', async () => {
    const { gateway, sale: sell } = sandbox()
    await sell({ credit_card_number: '4000000000000002' })
    await sell({ credit_card_number: '4485940822076017' })
    expect(gateway.faults.list().struck).toEqual([])
  })
})

describe('faults by seed', () => {
  const drawn = async (seed: number, ids: readonly string[]) => {
    const { gateway } = sandbox({ faults: { seed, only: ['overloaded', 'html-page'], probability: 0.5 } })
    const replies: Record<string, number> = {}
    for (const id of ids) {
      const { status: http, headers } = await gateway.handle(sale({ client_orderid: id }))
      replies[id] = headers['content-type']?.startsWith('text/html') ? -1 : http
    }
    await gateway.settled()
    return replies
  }
  const IDS = Array.from({ length: 20 }, (_, index) => `order-${index}`)

  test('are the same for the same orders, whichever come first and whatever other orders there are', async () => {
    const all = await drawn(7, IDS)
    expect(new Set(Object.values(all))).toEqual(new Set([200, 503, -1]))
    expect(await drawn(7, IDS.toReversed())).toEqual(all)
    const some = IDS.slice(5, 9)
    expect(await drawn(7, some)).toEqual(Object.fromEntries(some.map((id) => [id, all[id]])))
    expect(await drawn(8, IDS)).not.toEqual(all)
  })

  test('can be repeated: the seed is shown, even a random one', () => {
    expect(sandbox({ faults: { seed: 4711 } }).gateway.faults.seed).toBe(4711)
    const { seed } = sandbox({ faults: {} }).gateway.faults
    expect(Number.isSafeInteger(seed)).toBe(true)
    expect(sandbox().gateway.faults.seed).toBeUndefined()
  })

  test('are replaced by a fault that the order has for another reason', async () => {
    const { gateway } = sandbox({ faults: { seed: 1, only: ['overloaded'] } })
    gateway.faults.forOrder('inv-1', 'callback-never')
    expect((await gateway.handle(sale())).status).toBe(200)
    expect((await gateway.handle(sale({ client_orderid: 'inv-2', amount: '666.15' }))).status).toBe(200)
    expect((await gateway.handle(sale({ client_orderid: 'inv-3' }))).status).toBe(503)
  })

  test('are none with a probability of 0, and every order has one by default', async () => {
    const statuses = async (probability: number | undefined) => {
      const { gateway } = sandbox({ faults: { seed: 1, only: ['overloaded'], probability } })
      const replies = await Promise.all(IDS.map((id) => gateway.handle(sale({ client_orderid: id }))))
      return new Set(replies.map((reply) => reply.status))
    }
    expect([await statuses(0), await statuses(undefined)]).toEqual([new Set([200]), new Set([503])])
  })

  test.for([
    [{ seed: -1 }, 'faults: seed must be a whole number from 0 on'],
    [{ seed: 1.5 }, 'faults: seed must be a whole number from 0 on'],
    [{ probability: 1.1 }, 'faults: probability must be a number from 0 to 1'],
    [{ probability: Number.NaN }, 'faults: probability must be a number from 0 to 1'],
    [{ only: [] }, 'faults: only must be a list of at least one fault'],
    [{ only: ['boom'] as never }, 'faults: there is no fault boom; there are '],
  ] as const)('are refused with %j', ([faults, problem]) => {
    expect(() => sandbox({ faults })).toThrow(TypeError)
    expect(() => sandbox({ faults })).toThrow(problem)
  })
})

describe('outside a sandbox', () => {
  test('no amount and no card stands for anything', async () => {
    const { gateway, calls } = desk()
    for (const [index, { amount, card }] of Object.values(FAULTS).entries()) {
      const fields = { ...SALE, ...CALLED, client_orderid: `inv-${index}`, credit_card_number: card }
      const reply = await gateway.handle(sale({ ...fields, amount: `${amount / 100n}.${amount % 100n}` }))
      expect([reply.status, reply.cut]).toEqual([200, undefined])
    }
    await gateway.settled()
    expect(calls).toHaveLength(Object.keys(FAULTS).length)
  })

  test('none can be requested, and there is no access beyond the interface', () => {
    const { gateway } = desk()
    const problem = 'faults are for a sandbox alone: create the gateway with sandbox: true'
    expect(() => gateway.faults.next('sale', 'overloaded')).toThrow(problem)
    expect(() => gateway.faults.forOrder('inv-1', 'overloaded')).toThrow(problem)
    gateway.faults.clear()
    expect(gateway.faults.list()).toEqual({ seed: undefined, next: [], orders: [], struck: [] })
    expect(gateway.sandbox).toBeUndefined()
  })

  test('a seed is refused', () => {
    expect(() => desk({ faults: { seed: 1 } })).toThrow(
      'createGateway: faults are for a sandbox alone; say sandbox: true as well',
    )
  })
})
