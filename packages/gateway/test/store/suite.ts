import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoredOrder } from '../../src/orders/order.ts'
import type { GivenUpQuery, OrderQuery } from '../../src/store/listing.ts'
import type { Change, Conflict, Store } from '../../src/store/store.ts'
import { REFERENCES } from '../support/acquirers.ts'
import { STEPS } from '../support/issuer.ts'
import {
  attempted,
  card,
  chargeTask,
  delivery,
  later,
  NOW,
  nonce,
  opening,
  operation,
  order,
  postings,
  record,
  recurring,
  reference,
  task,
  updating,
} from './changes.ts'

/** A store under test. */
export interface Opened {
  readonly store: Store
  /** Closes the store and opens it again, if its data outlives that. */
  again(): Promise<Store>
  end(): Promise<void>
}

/** The tests that every implementation of a store passes. */
export function storeSuite(open: () => Promise<Opened>): void {
  let opened: Opened
  let store: Store
  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.end())

  async function write(...changes: readonly Change[]): Promise<void> {
    for (const change of changes) expect(await store.commit(change, NOW)).toEqual({ ok: true })
  }

  async function refused(change: Change, conflict: Conflict, now = NOW): Promise<void> {
    expect(await store.commit(change, now)).toEqual({ ok: false, conflict })
  }

  /** Expects a change to be refused as a fault of the program, not answered as a conflict. */
  async function faulty(change: Change, message: RegExp): Promise<void> {
    await expect(store.commit(change, NOW)).rejects.toThrow(message)
  }

  const preauth = operation({ kind: 'preauth', amount: 100n, status: 'approved' })
  const capture = (id: string, amount: bigint) => operation({ id, kind: 'capture', amount })

  describe('orders', () => {
    test('an order is found by each of its names', async () => {
      const pages = { token: 'token-1', form: 'sale' } as const
      const first = order(1, { details: { ...order(1).details, pages } })
      await write(opening(first), opening(order(2)))
      const names = { login: 'shop', clientOrderId: 'invoice-1' }
      expect(await store.orderById(first.orderId)).toEqual(first)
      expect(await store.findOrder(names)).toEqual(first)
      expect(await store.findOrder({ ...names, orderId: first.orderId })).toEqual(first)
      expect(await store.findOrder({ ...names, serialNumber: 'serial-1' })).toEqual(first)
      expect(await store.findOrder({ ...names, orderId: first.orderId, serialNumber: 'serial-1' })).toEqual(first)
      expect(await store.orderByPageToken('token-1')).toEqual(first)
    })

    test('an order is not found when one of the names is not its own', async () => {
      await write(opening(order(1)), opening(order(2)))
      const names = { login: 'shop', clientOrderId: 'invoice-1', orderId: order(1).orderId, serialNumber: 'serial-1' }
      expect(await store.findOrder({ ...names, login: 'other' })).toBeUndefined()
      expect(await store.findOrder({ ...names, clientOrderId: 'invoice-2' })).toBeUndefined()
      expect(await store.findOrder({ ...names, orderId: order(2).orderId })).toBeUndefined()
      expect(await store.findOrder({ ...names, serialNumber: 'serial-2' })).toBeUndefined()
      expect(await store.findOrder({ ...names, orderId: undefined, serialNumber: 'serial-2' })).toBeUndefined()
      expect(await store.orderById('1')).toBeUndefined()
      expect(await store.orderByPageToken('token-1')).toBeUndefined()
      expect(await store.orderByPageToken('')).toBeUndefined()
    })

    test('names are told apart wherever their texts are divided', async () => {
      await write(opening(order(1, { login: 'a', clientOrderId: 'b,c' })))
      expect(await store.findOrder({ login: 'a,b', clientOrderId: 'c' })).toBeUndefined()
      expect(await store.findOrder({ login: 'a', clientOrderId: 'B,C' })).toBeUndefined()
      await write(opening(order(2, { login: 'a,b', clientOrderId: 'c' })))
    })

    test('[G13-10] a merchant has a client order id once, and another merchant may have it too', async () => {
      await write(opening(order(1)))
      await refused(opening(order(2, { clientOrderId: 'invoice-1' })), 'client-order-id')
      expect(await store.orderById(order(2).orderId)).toBeUndefined()
      await write(opening(order(3, { clientOrderId: 'invoice-1', login: 'other' })))
    })

    test('a merchant has only one order with one control, and another merchant may have it too', async () => {
      const signedAs = 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3'
      await write(opening(order(1, { signedAs })))
      await refused(opening(order(2, { signedAs })), 'control')
      expect(await store.orderById(order(2).orderId)).toBeUndefined()
      await refused(opening(order(2, { signedAs, clientOrderId: 'invoice-1' })), 'client-order-id')
      await write(opening(order(2, { signedAs, login: 'other' })), opening(order(3)), opening(order(4)))
      expect((await store.orderById(order(1).orderId))?.signedAs).toBe(signedAs)
    })

    test('if repeats are allowed, the youngest is found, and each by its own id', async () => {
      const repeat = (digits: number) => ({
        order: { order: order(digits, { clientOrderId: 'again' }), basedOn: 'nothing', repeatsAllowed: true } as const,
      })
      const names = { login: 'shop', clientOrderId: 'again' }
      await write(repeat(2), repeat(1), repeat(3))
      expect((await store.findOrder(names))?.orderId).toBe(order(3).orderId)
      expect((await store.findOrder({ ...names, orderId: order(1).orderId }))?.orderId).toBe(order(1).orderId)
      expect((await store.findOrder({ ...names, serialNumber: 'serial-1' }))?.orderId).toBe(order(3).orderId)
      const appended = [operation(), operation({ id: '2', kind: 'chargeback', amount: 0n })]
      await write(updating(order(2, { clientOrderId: 'again' }), { operations: appended }))
      expect((await store.findOrder({ ...names, serialNumber: 'serial-2' }))?.orderId).toBe(order(2).orderId)
      expect((await store.findOrder(names))?.orderId).toBe(order(3).orderId)
    })

    test('an order that could be a repeat excludes others once repeats are no longer allowed', async () => {
      const again = order(1, { clientOrderId: 'again' })
      await write({ order: { order: again, basedOn: 'nothing', repeatsAllowed: true } })
      await refused(opening(order(2, { clientOrderId: 'again' })), 'client-order-id')
    })

    test('an order of another merchant, or with another client order id, is no repeat', async () => {
      const mine = { login: 'other', clientOrderId: 'again' }
      await write(opening(order(1, { clientOrderId: 'again' })), opening(order(2, { login: 'other' })))
      await write({ order: { order: order(3, mine), basedOn: 'nothing', repeatsAllowed: true } })
      await refused(opening(order(4, mine)), 'client-order-id')
    })

    test('an order id exists only once', async () => {
      await write(opening(order(1)))
      await refused(opening(order(1, { clientOrderId: 'other' })), 'order')
      await refused(opening(order(1)), 'order')
      await refused({ order: { order: order(1), basedOn: 'nothing', repeatsAllowed: true } }, 'order')
      expect(await store.findOrder({ login: 'shop', clientOrderId: 'other' })).toBeUndefined()
    })

    test('an order changes only from the version that the decision was made on', async () => {
      const first = order(1)
      await write(opening(first))
      const approved = { operations: [operation({ status: 'approved', outcome: { approvalCode: '123456' } })] } as const
      await write(updating(first, approved))
      expect(await store.orderById(first.orderId)).toEqual(later(first, approved))
      await refused(updating(first, { operations: [operation({ status: 'declined' })] }), 'order')
      await refused(updating(later(later(first, {}), {}), {}), 'order')
      await refused(updating(order(2), {}), 'order')
      expect(await store.orderById(first.orderId)).toEqual(later(first, approved))
    })

    test('of changes that were decided on the same version, only one is written', async () => {
      const first = order(1)
      await write(opening(first))
      const rivals = ['approved', 'declined', 'filtered'].map((status) =>
        updating(first, { operations: [operation({ status: status as 'approved' })] }),
      )
      const committed = await Promise.all(rivals.map((rival) => store.commit(rival, NOW)))
      expect(committed).toEqual([{ ok: true }, { ok: false, conflict: 'order' }, { ok: false, conflict: 'order' }])
      expect((await store.orderById(first.orderId))?.operations[0]?.status).toBe('approved')
    })

    test('of orders that are opened at once under one client order id, only one is written', async () => {
      const rivals = [1, 2, 3].map((digits) => opening(order(digits, { clientOrderId: 'one' })))
      const committed = await Promise.all(rivals.map((rival) => store.commit(rival, NOW)))
      expect(committed.map(({ ok }) => ok)).toEqual([true, false, false])
    })

    test('operations are appended and change, each by itself', async () => {
      const first = order(1, { operations: [preauth] })
      const second = later(first, { operations: [preauth, capture('2', 40n)] })
      const captured = operation({ id: '2', kind: 'capture', amount: 40n, status: 'approved', statusAt: NOW + 5 })
      const third = later(second, { operations: [preauth, captured, capture('3', 60n)] })
      await write(opening(first), updating(first, second), updating(second, third))
      expect(await store.orderById(first.orderId)).toEqual(third)
      store = await opened.again()
      expect(await store.orderById(first.orderId)).toEqual(third)
    })

    test('an operation gets what the acquirer gave for the card when it is sent', async () => {
      const first = order(1, { operations: [operation({ status: 'created', token: undefined })] })
      const sent = later(first, { operations: [operation({ status: 'sent', token: 'taken' })] })
      await write(opening(first), updating(first, sent))
      store = await opened.again()
      expect(await store.orderById(first.orderId)).toEqual(sent)
    })

    test('the outcome of an operation can be added to, even if its status is final', async () => {
      const first = order(1, { operations: [operation({ kind: 'payout-check', status: 'approved' })] })
      const expired = operation({ kind: 'payout-check', status: 'approved', outcome: { isExpired: true } })
      await write(opening(first), updating(first, { operations: [expired] }))
      store = await opened.again()
      expect((await store.orderById(first.orderId))?.operations).toEqual([expired])
    })

    test('details are replaced: a page token goes, and its order is no longer found by it', async () => {
      const pages = { token: 'token-1', form: 'sale' } as const
      const first = order(1, { details: { payer: {}, addresses: {}, pages } })
      await write(opening(first))
      await faulty(opening(order(2, { details: { payer: {}, addresses: {}, pages } })), /page token|orders_page/)
      const paid = later(first, { details: { payer: { email: 'b@example.com' }, addresses: {} } })
      await write(updating(first, paid))
      expect(await store.orderByPageToken('token-1')).toBeUndefined()
      store = await opened.again()
      expect(await store.orderById(first.orderId)).toEqual(paid)
    })

    test('everything comes back as it was written', async () => {
      const full = order(1, {
        clientOrderId: 'Ключ "1" \u{1F4B3} \\ \n',
        terms: { currency: 'JPY', settleAfter: 0, holdFor: 1, payoutCheckFor: 2 },
        operations: [
          operation({
            amount: 9_007_199_254_740_993n,
            token: undefined,
            outcome: {
              orderStage: 'sale_processing',
              errorCode: '3',
              errorMessage: 'no',
              awaits: STEPS.method,
              ...REFERENCES,
            },
          }),
        ],
        details: {
          origin: {
            groupId: '77',
            initiatedBy: 'schedule',
            firstPayment: { reference: '1-1', orderId: '1', clientOrderId: 'first', at: 7, ...REFERENCES },
          },
          card: {
            cardId: 'card-1',
            bin: '444455',
            lastFourDigits: '1111',
            cardType: 'VISA',
            cardholderName: undefined,
          },
          destination: { bankName: 'Bänk' },
          payer: { email: undefined, phone: '', firstName: 'J', lastName: "O'Neill" },
          addresses: { notifyUrl: 'https://shop.example.com/?a=1&b=%20' },
          merchantData: '{"a":[1]}',
          orderDesc: '\u0000',
          pages: { token: 'token-1', form: 'payout' },
        },
      })
      await write(opening(full))
      store = await opened.again()
      expect(await store.orderById(full.orderId)).toEqual(full)
      expect(await store.findOrder({ login: full.login, clientOrderId: full.clientOrderId })).toEqual(full)
    })

    test('orders with an operation that is sent are those that a restart looks up, the longest waiting first', async () => {
      const at = (statusAt: number, status: 'sent' | 'processing' = 'sent') => ({
        operations: [operation({ statusAt, status })],
      })
      await write(opening(order(1, at(30))), opening(order(2, at(10))), opening(order(3, at(20, 'processing'))))
      expect(await store.sentOrders(31, 9)).toEqual([order(2).orderId, order(1).orderId])
      expect(await store.sentOrders(30, 9)).toEqual([order(2).orderId])
      expect(await store.sentOrders(Number.MAX_SAFE_INTEGER, 1)).toEqual([order(2).orderId])
      await write(updating(order(2, at(10)), at(11, 'processing')))
      expect(await store.sentOrders(31, 9)).toEqual([order(1).orderId])
      const both = [operation({ statusAt: 30 }), operation({ id: '2', kind: 'reversal', amount: 0n, statusAt: 5 })]
      await write(updating(order(1, at(30)), { operations: both }))
      await write(opening(order(4, at(20))))
      expect(await store.sentOrders(31, 9)).toEqual([order(1).orderId, order(4).orderId])
    })

    test("a merchant's orders are sorted by their last change, the latest first", async () => {
      const ids = async (limit: number) => (await store.recentOrders('shop', limit)).map(({ orderId }) => orderId)
      const commit = async (change: Change, now: number) =>
        expect(await store.commit(change, now)).toEqual({ ok: true })
      await commit(opening(order(1)), NOW)
      await commit(opening(order(2)), NOW)
      await commit(opening(order(3, { login: 'other' })), NOW)
      expect(await ids(9)).toEqual([order(2).orderId, order(1).orderId])
      await commit(updating(order(1), {}), NOW + 1)
      expect(await ids(9)).toEqual([order(1).orderId, order(2).orderId])
      expect(await ids(1)).toEqual([order(1).orderId])
    })
  })

  describe('lists', () => {
    /** Pages one after the other, until there is no more. */
    async function paged(query: Partial<OrderQuery>): Promise<readonly (readonly string[])[]> {
      const pages: string[][] = []
      for (let after = query.after; ; ) {
        const { orders, next } = await store.listOrders({ limit: 2, ...query, after })
        pages.push(orders.map(({ orderId }) => orderId.slice(-2)))
        if (next === undefined) return pages
        after = next
      }
    }

    test('[F-D12] orders are listed by when they were made, and those that come in meanwhile shift no page', async () => {
      const at = (digits: number, createdAt: number) => opening(order(digits, { createdAt }))
      await write(at(11, NOW), at(12, NOW + 5), at(13, NOW + 5), at(14, NOW + 9))
      expect(await paged({})).toEqual([['14', '13'], ['12', '11'], []])
      const { next } = await store.listOrders({ limit: 2 })
      await write(at(15, NOW + 10), updating(order(12, { createdAt: NOW + 5 }), {}), at(10, NOW))
      expect(await paged({ after: next })).toEqual([['12', '11'], ['10']])
      store = await opened.again()
      expect((await paged({})).flat()).toEqual(['15', '14', '13', '12', '11', '10'])
    })

    test('[F-D12] orders are listed by merchant, endpoint, time, their own ids and their last operation', async () => {
      const unknown = operation({ status: 'unknown' })
      const kept = operation({ kind: 'preauth', amount: 100n, status: 'approved' })
      await write(
        opening(order(11, { operations: [unknown] })),
        opening(
          order(12, {
            endpointId: '254',
            createdAt: NOW + 5,
            operations: [kept, { ...unknown, id: '2', kind: 'capture', amount: 1n }],
          }),
        ),
        opening(order(13, { login: 'other', clientOrderId: 'invoice-11', createdAt: NOW + 9, operations: [kept] })),
      )
      const found = async (query: Partial<OrderQuery>) => (await paged(query)).flat()
      expect(await found({ login: 'shop' })).toEqual(['12', '11'])
      expect(await found({ endpointId: '254' })).toEqual(['12'])
      expect(await found({ since: NOW + 5, until: NOW + 9 })).toEqual(['12'])
      expect(await found({ clientOrderId: 'invoice-11' })).toEqual(['13', '11'])
      expect(await found({ clientOrderId: 'invoice-11', login: 'shop' })).toEqual(['11'])
      expect(await found({ clientOrderId: 'invoice-11', since: NOW + 5 })).toEqual(['13'])
      expect(await found({ clientOrderId: "' OR 1 = 1 --" })).toEqual([])
      expect(await found({ login: "shop' OR '1' = '1" })).toEqual([])
      expect(await found({ last: [{ status: 'unknown' }] })).toEqual(['12', '11'])
      expect(await found({ last: [{ status: 'unknown', kind: 'sale' }, { status: 'approved' }] })).toEqual(['13', '11'])
      expect(await found({ last: [] })).toEqual([])
    })

    test('[F-D12] callbacks that were given up are listed by when that was, until they are sent again', async () => {
      const [one, two] = [order(11), order(12, { login: 'other' })]
      const over = { made: 30, dueAt: undefined, firstAt: NOW, state: 'given-up', givenUpAt: NOW + 7 } as const
      await write(
        { ...opening(one), deliveries: [delivery(one, { id: 'a', ...over }), delivery(one, { id: 'b' })] },
        { ...opening(two), deliveries: [delivery(two, { id: 'c', ...over, state: 'refused', givenUpAt: NOW + 9 })] },
      )
      const ids = async (query: Partial<GivenUpQuery> = {}) =>
        (await store.listGivenUp({ limit: 9, ...query })).deliveries.map(({ id }) => id)
      await store.claimDeliveries({ now: NOW, until: NOW + 60_000, limit: 9 })
      await write({ attempts: [attempted(one, { id: 'b', ...over })] })
      store = await opened.again()
      expect(await ids()).toEqual(['c', 'b', 'a'])
      expect(await store.listGivenUp({ limit: 1 })).toMatchObject({
        deliveries: [{ givenUpAt: NOW + 9 }],
        next: { at: NOW + 9, id: 'c' },
      })
      expect(await ids({ login: 'shop' })).toEqual(['b', 'a'])
      expect(await ids({ since: NOW + 8 })).toEqual(['c'])
      expect(await ids({ until: NOW + 9, after: { at: NOW + 60, id: 'z' } })).toEqual(['b', 'a'])
      expect(await ids({ until: NOW + 60, after: { at: NOW + 9, id: 'c' } })).toEqual(['b', 'a'])
      expect(await ids({ after: { at: NOW + 7, id: 'b' } })).toEqual(['a'])
      await write({ deliveries: [delivery(one, { id: 'b', made: 30 })] })
      expect(await ids({ limit: 2 })).toEqual(['c', 'a'])
    })
  })

  describe('sums', () => {
    test('[G5-07] captures beyond the hold are refused, also while they are in flight', async () => {
      const held = order(1, { operations: [preauth] })
      await write(opening(held))
      const over = [preauth, capture('2', 60n), capture('3', 41n)]
      await faulty(updating(held, { operations: over }), /hold_within_authorized/)
      await faulty(updating(held, { operations: over.map((each) => ({ ...each, status: 'approved' })) }), /hold_within/)
      await write(updating(held, { operations: [preauth, capture('2', 60n), capture('3', 40n)] }))
    })

    test('[G5-07] returns beyond what was taken are refused', async () => {
      const sold = operation({ amount: 100n, status: 'approved' })
      const taken = order(1, { operations: [sold] })
      await write(opening(taken))
      const back = (id: string, amount: bigint, kind: 'reversal' | 'chargeback') => operation({ id, kind, amount })
      const over = [sold, back('2', 50n, 'reversal'), back('3', 51n, 'chargeback')]
      await faulty(updating(taken, { operations: over }), /taken_within_captured/)
      await write(updating(taken, { operations: [sold, back('2', 50n, 'reversal'), back('3', 50n, 'chargeback')] }))
    })

    test('[S3-07] a payout beyond what was registered is refused', async () => {
      const check = operation({ kind: 'payout-check', amount: 100n, status: 'approved' })
      const registered = order(1, { operations: [check] })
      await write(opening(registered))
      const pay = (amount: bigint) => operation({ id: '2', kind: 'payout-pay', amount })
      await faulty(updating(registered, { operations: [check, pay(101n)] }), /payout_within_registered/)
      await write(updating(registered, { operations: [check, pay(100n)] }))
    })

    const DRAWN = [
      ['preauth', 'capture', 'cancel', /hold_within_authorized/],
      ['preauth', 'cancel', 'capture', /hold_within_authorized/],
      ['sale', 'reversal', 'chargeback', /taken_within_captured/],
      ['sale', 'chargeback', 'reversal', /taken_within_captured/],
      ['payout-check', 'payout-pay', 'payout-pay', /payout_within_registered/],
    ] as const
    const drawn = DRAWN.flatMap((each) => (['sent', 'approved'] as const).map((status) => [...each, status] as const))

    test.for(drawn)(
      'of a %s, what a %s drew counts when a %s comes: %s, %s',
      async ([kind, one, other, rule, status]) => {
        const first = order(1, { operations: [operation({ kind, amount: 100n })] })
        const filled = operation({ kind, amount: 100n, status: 'approved' })
        const second = later(first, { operations: [filled] })
        const third = later(second, { operations: [filled, operation({ id: '2', kind: one, amount: 60n, status })] })
        const more = (amount: bigint) =>
          updating(third, { operations: [...third.operations, operation({ id: '3', kind: other, amount })] })
        await write(opening(first), updating(first, second), updating(second, third))
        await faulty(more(41n), rule)
        await write(more(40n))
      },
    )

    test('an order that the rules do not allow is refused', async () => {
      const bad = (given: object) => opening(order(1, { operations: [{ ...operation(), ...given }] }))
      await faulty(bad({ amount: -1n }), /amount_not_negative/)
      await faulty(bad({ kind: 'gift' }), /kind|undefined/)
      await faulty(bad({ status: 'almost' }), /status_known/)
      await faulty(bad({ kind: 'capture' }), /begins with/)
      await faulty(opening(order(1, { operations: [operation(), operation()] })), /there twice/)
      await faulty(opening(order(1, { operations: [] })), /begins with/)
      expect(await store.orderById(order(1).orderId)).toBeUndefined()
    })

    test('a version that does not follow, and an operation that is gone, are refused', async () => {
      await write(opening(order(1)))
      await faulty({ order: { order: order(1, { version: 3 }), basedOn: 1 } }, /does not follow/)
      await faulty(updating(order(1), { operations: [operation({ id: '9' })] }), /Operation 1 is missing/)
    })
  })

  describe('nonces', () => {
    test('[G13-04] a nonce is consumed once for its consumer and its second', async () => {
      await write({ nonce: nonce('a') })
      await refused({ nonce: nonce('a') }, 'nonce')
      await write({ nonce: nonce('b') }, { nonce: nonce('A') }, { nonce: nonce('a', NOW / 1000 + 1) })
      await write({ nonce: { ...nonce('a'), consumerKey: 'other' } })
      await write({ nonce: { ...nonce(''), consumerKey: 'shopa' } }, { nonce: nonce('\u0000') })
    })

    test('[G13-04] a nonce is accepted within 300 seconds of now, and no further', async () => {
      const second = NOW / 1000
      await write({ nonce: nonce('a', second - 300) }, { nonce: nonce('a', second + 300) })
      await refused({ nonce: nonce('a', second - 300) }, 'nonce')
      await refused({ nonce: nonce('a', second - 301) }, 'nonce')
      await refused({ nonce: nonce('a', second + 301) }, 'nonce')
      await refused({ nonce: nonce('a', second - 300) }, 'nonce', NOW + 1)
    })

    test.for([
      ['an hour', 3600],
      ['ten years', 315_576_000],
    ] as const)(
      '[F-A13] accepts fresh nonces and no used one after the clock was %s ahead, again and again',
      async ([, ahead]) => {
        for (let round = 0; round < 3; round++) {
          const second = NOW / 1000 + 10 * round
          const at = (seconds: number, name: string) => {
            const there = second + seconds
            return store.commit({ nonce: nonce(name, there) }, there * 1000)
          }
          expect(await at(0, `n${round}`)).toEqual({ ok: true })
          const load = Array.from({ length: 100 }, (_, each) => at(ahead + (each % 10), `wrong-${round}-${each}`))
          expect(new Set((await Promise.all(load)).map(({ ok }) => ok))).toEqual(new Set([true]))
          await refused({ nonce: nonce(`n${round}`, second) }, 'nonce', (second + 5) * 1000)
          expect(await at(5, `right-${round}`)).toEqual({ ok: true })
          await refused({ nonce: nonce(`wrong-${round}-3`, second + ahead + 3) }, 'nonce', (second + ahead) * 1000)
          store = await opened.again()
          await refused({ nonce: nonce(`n${round}`, second) }, 'nonce', (second + 6) * 1000)
          await refused({ nonce: nonce(`wrong-${round}-3`, second + ahead + 3) }, 'nonce', (second + ahead) * 1000)
          expect(await at(6, `again-${round}`)).toEqual({ ok: true })
        }
      },
    )

    test('a nonce is consumed with the rest of its change, or not at all', async () => {
      await write(opening(order(1)))
      await refused({ ...opening(order(1)), nonce: nonce('a') }, 'order')
      await refused({ ...opening(order(2, { clientOrderId: 'invoice-1' })), nonce: nonce('a') }, 'client-order-id')
      await refused({ ...updating(later(order(1), {}), {}), nonce: nonce('a') }, 'order')
      await write({ ...opening(order(3)), nonce: nonce('a') })
      await refused({ ...opening(order(4)), nonce: nonce('a') }, 'nonce')
      await refused({ ...updating(order(1), {}), nonce: nonce('a') }, 'nonce')
      expect(await store.orderById(order(4).orderId)).toBeUndefined()
      expect((await store.orderById(order(1).orderId))?.version).toBe(1)
    })

    test('a nonce that is not consumed after all leaves those of other changes consumed', async () => {
      const beside = [nonce('b'), nonce('a', NOW / 1000 + 1), { ...nonce('a'), consumerKey: 'other' }]
      await write(opening(order(1)), ...beside.map((each) => ({ nonce: each })))
      await refused({ ...opening(order(1)), nonce: nonce('a') }, 'order')
      for (const each of beside) await refused({ nonce: each }, 'nonce')
    })

    test('of several conflicts that of the order is reported first, then that of a recurring payment', async () => {
      await write(opening(order(1)), { nonce: nonce('a'), cards: [card('card-1')], recurringPayment: recurring('r') })
      const all = { nonce: nonce('a'), recurringPayment: recurring('r') }
      await refused({ ...all, ...opening(order(1)) }, 'order')
      await refused({ ...all, ...opening(order(2, { clientOrderId: 'invoice-1' })) }, 'client-order-id')
      await refused({ ...all, ...opening(order(2)) }, 'recurring-payment')
      await refused({ nonce: nonce('a'), ...opening(order(1)) }, 'order')
    })

    test('of requests that replay one nonce at once, only one is written', async () => {
      const replays = [1, 2, 3].map((digits) => ({ ...opening(order(digits)), nonce: nonce('a') }))
      const committed = await Promise.all(replays.map((replay) => store.commit(replay, NOW)))
      expect(committed).toEqual([{ ok: true }, { ok: false, conflict: 'nonce' }, { ok: false, conflict: 'nonce' }])
      expect(await store.orderById(order(2).orderId)).toBeUndefined()
    })
  })

  describe('a change is written whole or not at all', () => {
    /** A change that writes to every table. */
    const whole = (of: StoredOrder): Change => ({
      ...opening(of),
      nonce: nonce('whole'),
      postings: postings(of, 5n),
      deliveries: [delivery(of)],
      tasks: [task(of)],
      cards: [card('card-2')],
      references: [reference('2', 'card-2')],
      recurringPayment: recurring('whole', { cardId: 'card-2' }),
      records: [record(of.orderId)],
    })

    async function nothingOf(of: StoredOrder): Promise<void> {
      expect(await store.orderById(of.orderId)).toBeUndefined()
      expect(await store.postingsOf(of.orderId)).toEqual([])
      expect(await store.deliveriesOf(of.orderId)).toEqual([])
      expect(await store.nextDueAt()).toBeUndefined()
      expect(await store.card('card-2')).toBeUndefined()
      expect(await store.cardReference('shop', '2')).toBeUndefined()
      expect(await store.recurringPayment('shop', 'whole')).toBeUndefined()
      expect(await store.operatorRecords({ limit: 9 })).toEqual([])
    }

    test('in every table', async () => {
      const first = order(1)
      await write(whole(first))
      store = await opened.again()
      expect(await store.orderById(first.orderId)).toEqual(first)
      expect(await store.postingsOf(first.orderId)).toHaveLength(2)
      expect(await store.deliveriesOf(first.orderId)).toEqual([delivery(first)])
      expect(await store.nextDueAt()).toBe(NOW)
      expect(await store.card('card-2')).toEqual(card('card-2'))
      expect(await store.cardReference('shop', '2')).toEqual(reference('2', 'card-2'))
      expect(await store.recurringPayment('shop', 'whole')).toEqual(recurring('whole', { cardId: 'card-2' }))
      expect(await store.operatorRecords({ limit: 9 })).toEqual([record(first.orderId)])
      await refused({ nonce: nonce('whole') }, 'nonce')
    })

    test('a conflict of any part keeps every part out', async () => {
      await write(opening(order(9)), {
        nonce: nonce('used'),
        cards: [card('card-1')],
        recurringPayment: recurring('used'),
      })
      const change = whole(order(1))
      await refused({ ...change, nonce: nonce('used') }, 'nonce')
      await nothingOf(order(1))
      await refused({ ...change, recurringPayment: recurring('used') }, 'recurring-payment')
      await nothingOf(order(1))
      await refused({ ...change, ...opening(order(1, { clientOrderId: 'invoice-9' })) }, 'client-order-id')
      await nothingOf(order(1))
      await write(change)
    })

    test('a fault in any part keeps every part out, and harms no other change', async () => {
      const change = whole(order(1))
      const faults: readonly [Change, RegExp][] = [
        [{ ...change, postings: postings(order(1), 5n).slice(1) }, /sum to/],
        [{ ...change, postings: postings(order(1), 5n, { operationId: '2' }) }, /no operation 2/],
        [{ ...change, deliveries: [delivery(order(2))] }, /no order/],
        [{ ...change, attempts: [attempted(order(2))] }, /no order/],
        [{ ...change, tasks: [task(order(2))] }, /no order/],
        [{ ...change, tasks: [chargeTask(recurring('unknown'))] }, /no recurring payment|foreign key/i],
        [{ ...change, references: [reference('2', 'no-card')] }, /no card|foreign key/i],
        [{ ...change, recurringPayment: recurring('r', { cardId: 'no-card' }) }, /no card|foreign key/i],
      ]
      for (const [at, [fault, message]] of faults.entries()) {
        const neighbours = [10 + 2 * at, 11 + 2 * at].map((digits) => order(digits))
        const [before, failed, after] = await Promise.allSettled([
          store.commit(opening(neighbours[0] as StoredOrder), NOW),
          store.commit(fault, NOW),
          store.commit(opening(neighbours[1] as StoredOrder), NOW),
        ])
        expect([before, after]).toMatchObject([{ value: { ok: true } }, { value: { ok: true } }])
        expect(failed.status === 'rejected' && String(failed.reason)).toMatch(message)
        await nothingOf(order(1))
        for (const neighbour of neighbours) expect(await store.orderById(neighbour.orderId)).toEqual(neighbour)
      }
      await write(change)
    })

    test('an empty change is written', async () => {
      await write({}, { deliveries: [], tasks: [], postings: [], doneTasks: [], cards: [], references: [] })
    })

    test('an operation is booked once', async () => {
      const first = order(1)
      await write({ ...opening(first), postings: postings(first, 5n) })
      await faulty({ postings: postings(first, 5n) }, /booked before|unique/i)
      expect(await store.postingsOf(first.orderId)).toHaveLength(2)
    })
  })

  describe('the ledger', () => {
    test('postings are sorted by time, operation and account', async () => {
      const both = [operation({ status: 'approved' }), operation({ id: '2', kind: 'reversal', amount: 5n })]
      const first = order(1, { operations: both })
      const back = postings(first, -9_007_199_254_740_993n, { operationId: '2', at: NOW - 1 })
      await write({ ...opening(first), postings: [...postings(first, 5n), ...back] })
      await write({ ...opening(order(2)), postings: postings(order(2), 7n) })
      store = await opened.again()
      expect(await store.postingsOf(first.orderId)).toEqual([
        {
          orderId: first.orderId,
          operationId: '2',
          account: 'merchant',
          amount: -9_007_199_254_740_993n,
          currency: 'EUR',
          at: NOW - 1,
        },
        {
          orderId: first.orderId,
          operationId: '2',
          account: 'payer',
          amount: 9_007_199_254_740_993n,
          currency: 'EUR',
          at: NOW - 1,
        },
        { orderId: first.orderId, operationId: '1', account: 'merchant', amount: 5n, currency: 'EUR', at: NOW },
        { orderId: first.orderId, operationId: '1', account: 'payer', amount: -5n, currency: 'EUR', at: NOW },
      ])
      expect(await store.postingsOf('1')).toEqual([])
    })
  })

  describe('deliveries', () => {
    const first = order(1)
    const claim = { now: NOW, until: NOW + 60_000, limit: 9 }

    test('come back as they were written, and are replaced by their id', async () => {
      const waiting = delivery(first, { createdAt: NOW + 1, id: '0' })
      const given = { dueAt: undefined, made: 3, firstAt: NOW, state: 'refused', lastAnswer: '410' } as const
      const over = delivery(first, { ...given, url: 'https://shop.example.com/signed-anew', createdAt: NOW - 1 })
      await write({ ...opening(first), deliveries: [waiting, delivery(first)] }, { deliveries: [over] })
      store = await opened.again()
      expect(await store.deliveriesOf(first.orderId)).toEqual([over, waiting])
      expect(await store.deliveriesOf('1')).toEqual([])
    })

    test('are claimed when they are due, the earliest first, and by one claim only', async () => {
      const due = [3, 1, 2].map((at) => delivery(first, { id: `d${at}`, dueAt: NOW - at }))
      const not = [delivery(first, { id: 'late', dueAt: NOW + 1 }), delivery(first, { id: 'over', dueAt: undefined })]
      await write({ ...opening(first), deliveries: [...due, ...not] })
      const ids = async (limit: number) =>
        (await store.claimDeliveries({ ...claim, limit })).map(({ id, dueAt }) => [id, dueAt])
      const claims = await Promise.all([ids(2), ids(9), ids(9)])
      expect(claims).toEqual([
        [
          ['d3', NOW + 60_000],
          ['d2', NOW + 60_000],
        ],
        [['d1', NOW + 60_000]],
        [],
      ])
    })

    test('are due again when the claim is over', async () => {
      await write({ ...opening(first), deliveries: [delivery(first)] })
      expect(await store.claimDeliveries(claim)).toEqual([delivery(first, { dueAt: claim.until })])
      expect(await store.claimDeliveries({ ...claim, now: claim.until - 1, until: claim.until + 9 })).toEqual([])
      store = await opened.again()
      expect(await store.nextDueAt()).toBe(claim.until)
      expect(await store.claimDeliveries({ ...claim, now: claim.until, until: claim.until + 9 })).toHaveLength(1)
    })

    test('may be claimed as they are written: nobody else has them before that claim ends', async () => {
      const claimed = delivery(first, { dueAt: claim.until })
      await write({ ...opening(first), deliveries: [claimed], claimsDeliveries: true })
      expect(await store.claimDeliveries({ ...claim, now: claim.until - 1, until: claim.until + 9 })).toEqual([])
      store = await opened.again()
      expect(await store.deliveriesOf(first.orderId)).toEqual([claimed])
      expect(await store.nextDueAt()).toBe(claim.until)
      const acknowledged = { made: 1, firstAt: NOW, state: 'acknowledged', dueAt: undefined } as const
      await write({ attempts: [attempted(first, acknowledged, claim.until)] })
      expect(await store.deliveriesOf(first.orderId)).toEqual([delivery(first, acknowledged)])
    })

    test('that were claimed as they were written are due again when the claim is over', async () => {
      await write({ ...opening(first), deliveries: [delivery(first, { dueAt: claim.until })], claimsDeliveries: true })
      const later = { ...claim, now: claim.until, until: claim.until + 9 }
      expect(await store.claimDeliveries(later)).toEqual([delivery(first, { dueAt: later.until })])
      expect(await store.claimDeliveries(later)).toEqual([])
    })

    test('that are claimed are written while the claim holds, and left to whoever took them over', async () => {
      await write({ ...opening(first), deliveries: [delivery(first)] })
      await store.claimDeliveries(claim)
      const later = { ...claim, now: claim.until, until: claim.until + 60_000 }
      await store.claimDeliveries(later)
      const refused = { made: 1, firstAt: NOW, state: 'refused', lastAnswer: '410', dueAt: undefined } as const
      const again = { made: 1, firstAt: NOW, lastAnswer: '503', dueAt: later.until + 5_000 }
      await write({ attempts: [attempted(first, again, claim.until)] })
      expect(await store.deliveriesOf(first.orderId)).toEqual([delivery(first, { dueAt: later.until })])
      await write({ attempts: [attempted(first, refused, later.until)] })
      await write(
        { attempts: [attempted(first, again, claim.until)] },
        { attempts: [{ delivery: delivery(first, again), claimedUntil: undefined }] },
      )
      store = await opened.again()
      expect(await store.deliveriesOf(first.orderId)).toEqual([delivery(first, refused)])
    })

    test('of one claim are written each by itself', async () => {
      const [mine, beside] = [delivery(first), delivery(first, { id: '2' })]
      const ofAnother = delivery(order(2))
      await write({ ...opening(first), deliveries: [mine, beside] }, { ...opening(order(2)), deliveries: [ofAnother] })
      await store.claimDeliveries(claim)
      await write({ attempts: [attempted(first, { made: 1, state: 'acknowledged', dueAt: undefined })] })
      store = await opened.again()
      expect(await store.deliveriesOf(first.orderId)).toMatchObject([
        { id: '1', state: 'acknowledged' },
        { id: '2', state: 'open' },
      ])
      expect(await store.deliveriesOf(order(2).orderId)).toEqual([{ ...ofAnother, dueAt: claim.until }])
    })

    test('that are scheduled again while they are claimed are sent again', async () => {
      await write({ ...opening(first), deliveries: [delivery(first)] })
      await store.claimDeliveries(claim)
      const again = delivery(first, { dueAt: NOW + 1 })
      await write({ deliveries: [again] })
      const acknowledged = { made: 1, firstAt: NOW, state: 'acknowledged', dueAt: undefined } as const
      await write({ attempts: [attempted(first, acknowledged, claim.until)] })
      expect(await store.deliveriesOf(first.orderId)).toEqual([again])
    })

    test('of one instant are claimed in the order of their ids', async () => {
      await write({ ...opening(first), deliveries: ['b', 'c', 'a'].map((id) => delivery(first, { id })) })
      expect((await store.claimDeliveries(claim)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    })
  })

  describe('tasks', () => {
    const first = order(1)
    const claim = { now: NOW, until: NOW + 60_000, limit: 9 }
    const TEN_YEARS = 87_660 * 3_600_000
    const LIMITS = {
      now: NOW,
      believed: 0,
      leaseMs: 60_000,
      deliveryWaits: [100],
      tryWaits: [100],
      longestMs: TEN_YEARS,
    }

    test('are claimed when they are due, the earliest first, and by one claim only', async () => {
      const tasks = [3, 1, 2, -1].map((at) => task(first, { id: `t${at}`, dueAt: NOW - at, tried: at }))
      await write({ ...opening(first), tasks })
      const [one, other] = await Promise.all([store.claimTasks({ ...claim, limit: 2 }), store.claimTasks(claim)])
      expect(one).toEqual([
        task(first, { id: 't3', dueAt: claim.until, tried: 3 }),
        task(first, { id: 't2', dueAt: claim.until, tried: 2 }),
      ])
      expect(other.map(({ id }) => id)).toEqual(['t1'])
      expect(await store.nextDueAt()).toBe(NOW + 1)
    })

    test('[F-A13] and deliveries that lie further ahead than they can are pulled back, and no others', async () => {
      const at = (id: string, given: object) => task(first, { id, kind: 'lookup', dueAt: NOW + 50, ...given })
      const tasks = [
        at('soon', {}),
        at('far', { dueAt: NOW + 9000 }),
        at('tried', { dueAt: NOW + 9000, tried: 7 }),
        at('hold', { kind: 'release', dueAt: NOW + 9000 }),
        at('lost-hold', { kind: 'release', dueAt: NOW + 900_000_000 }),
      ]
      const deliveries = [0, 1, 5].map((made) => delivery(first, { id: `d${made}`, made, dueAt: NOW + 9000 }))
      await write({ ...opening(first), cards: [card('card-1')], recurringPayment: recurring('r'), deliveries })
      await write({ tasks: [...tasks, chargeTask(recurring('r'), { dueAt: NOW + 900_000_000, date: '2030-03-28' })] })
      await store.pullBack({ ...LIMITS, deliveryWaits: [100, 200, 8000], tryWaits: [100, 7000], longestMs: 10_000 })
      const due = (all: readonly { id: string; dueAt?: number | undefined }[]) =>
        Object.fromEntries(all.map(({ id, dueAt = NOW }) => [id, dueAt - NOW]))
      expect(due(await store.tasksOf(first.orderId))).toEqual({
        soon: 50,
        far: 100,
        tried: 7000,
        hold: 9000,
        'lost-hold': 0,
      })
      expect(due(await store.deliveriesOf(first.orderId))).toEqual({ d0: 100, d1: 200, d5: 8000 })
      const charges = await store.claimTasks({ ...claim, now: NOW + 899_999_999 })
      expect(charges.map(({ kind }) => kind)).not.toContain('charge')
    })

    test('[F-A13] that were claimed or put off by a time that was believed are due now, and so is a late charge', async () => {
      const believed = NOW + 3_600_000
      await write({ ...opening(first), cards: [card('card-1')], recurringPayment: recurring('r') })
      const at = (id: string, dueAt: number) => task(first, { id, kind: 'release', dueAt })
      const charge = (id: string, given: object) => chargeTask(recurring('r'), { id, ...given })
      await write({
        tasks: [
          at('claimed', NOW + 1),
          at('put-off', believed + 10_000),
          at('later', believed + 60_001),
          at('held', NOW + 60_000),
          charge('claimed-charge', { dueAt: NOW + 2, date: '2030-03-17' }),
          charge('late-charge', { dueAt: NOW + TEN_YEARS, date: '2030-03-17' }),
          charge('coming-charge', { dueAt: NOW + TEN_YEARS, date: '2040-03-17' }),
        ],
      })
      expect(await store.claimTasks({ now: NOW + 2, until: believed + 60_000, limit: 9 })).toHaveLength(2)
      await store.pullBack({ ...LIMITS, believed })
      const due = await store.claimTasks({ ...claim, now: NOW })
      expect(due.map(({ id }) => id).sort()).toEqual(['claimed', 'claimed-charge', 'late-charge', 'put-off'])
    })

    test('are put off, replaced and done', async () => {
      const lookup = task(first, { id: 'lookup', kind: 'lookup' })
      await write({ ...opening(first), tasks: [task(first), lookup] })
      await write({ tasks: [{ ...lookup, dueAt: NOW + 5, tried: 1 }] })
      expect(await store.tasksOf(first.orderId)).toEqual([task(first), { ...lookup, dueAt: NOW + 5, tried: 1 }])
      expect((await store.claimTasks(claim)).map(({ id }) => id)).toEqual([task(first).id])
      await write({ doneTasks: [task(first).id, 'unknown'] })
      expect(await store.nextDueAt()).toBe(NOW + 5)
      await write({ doneTasks: ['lookup'], tasks: [{ ...lookup, dueAt: NOW + 7 }] })
      expect(await store.nextDueAt()).toBe(NOW + 7)
      await write({ doneTasks: ['lookup'] })
      expect(await store.nextDueAt()).toBeUndefined()
    })

    test('replace the one with their id, whatever that was', async () => {
      const [second, payment] = [order(2), recurring('r')]
      const lookup = task(second, { id: 'one', kind: 'lookup' })
      await write({ ...opening(first), tasks: [task(first, { id: 'one' })] }, { ...opening(second), tasks: [lookup] })
      expect(await store.tasksOf(first.orderId)).toEqual([])
      expect(await store.tasksOf(second.orderId)).toEqual([lookup])
      const charge = chargeTask(payment, { id: 'one' })
      await write({ cards: [card('card-1')], recurringPayment: payment, tasks: [charge] })
      expect(await store.claimTasks(claim)).toEqual([{ ...charge, dueAt: claim.until }])
    })

    test('of a charge come back as they were written, and make room for the next', async () => {
      const payment = recurring('r')
      const later = { number: 2, date: '2030-02-28', dueAt: NOW + 7 }
      await write({ cards: [card('card-1')], recurringPayment: payment, tasks: [chargeTask(payment)] })
      store = await opened.again()
      expect(await store.claimTasks(claim)).toEqual([chargeTask(payment, { dueAt: claim.until })])
      await write({ ...opening(first), tasks: [chargeTask(payment, later)] })
      expect(await store.nextDueAt()).toBe(NOW + 7)
      expect(await store.claimTasks({ ...claim, now: NOW + 7 })).toEqual([
        chargeTask(payment, { ...later, dueAt: claim.until }),
      ])
      await write({ doneTasks: [chargeTask(payment).id] })
      expect(await store.nextDueAt()).toBeUndefined()
    })

    test('and deliveries are listed, the earliest first, but for those that are over', async () => {
      const payment = recurring('r')
      const charge = chargeTask(payment, { dueAt: NOW + 7 })
      const tasks = [task(first, { dueAt: NOW + 9 }), charge]
      await write({ cards: [card('card-1')], recurringPayment: payment, tasks: [charge] })
      const [later, sooner] = [
        delivery(first, { id: 'a', dueAt: NOW + 8 }),
        delivery(first, { id: 'b', dueAt: NOW + 2 }),
      ]
      const over = delivery(first, { id: 'c', dueAt: undefined, state: 'acknowledged' })
      await write({ ...opening(first), tasks, deliveries: [later, sooner, over] })
      expect(await store.listDue(9)).toEqual({ deliveries: [sooner, later], tasks: tasks.toReversed() })
      expect(await store.listDue(1)).toEqual({ deliveries: [sooner], tasks: [charge] })
      await store.claimTasks({ ...claim, now: NOW + 7 })
      expect((await store.listDue(9)).tasks).toEqual([tasks[0], { ...charge, dueAt: claim.until }])
    })

    test('and deliveries: the next that is due is the earlier of both', async () => {
      expect(await store.nextDueAt()).toBeUndefined()
      await write({ ...opening(first), tasks: [task(first, { dueAt: NOW + 9 })] })
      expect(await store.nextDueAt()).toBe(NOW + 9)
      await write({ deliveries: [delivery(first, { dueAt: NOW + 8 })] })
      expect(await store.nextDueAt()).toBe(NOW + 8)
      await write({ deliveries: [delivery(first, { dueAt: undefined })] })
      expect(await store.nextDueAt()).toBe(NOW + 9)
    })
  })

  describe('cards', () => {
    test('a card that is there already stays as it is', async () => {
      const named = card('card-1', { cardholderName: 'J. Smith', expireMonth: '12', expireYear: '2030' })
      await write({ cards: [named] }, { cards: [card('card-1', { keyId: 'key-2' }), card('card-2')] })
      store = await opened.again()
      expect(await store.card('card-1')).toEqual(named)
      expect(await store.card('card-2')).toEqual(card('card-2'))
      expect(await store.card('card-3')).toBeUndefined()
    })

    test('a card is kept with every character of its name', async () => {
      const named = card('card-1', { cardholderName: 'J\0Smith \uE000 \uE0000' })
      await write({ cards: [named] })
      store = await opened.again()
      expect(await store.card('card-1')).toEqual(named)
    })

    test('a reference belongs to the merchant who made it, and stays as it is', async () => {
      const receiving = reference('2', 'card-2', { kind: 'receiving-recurring-payment' })
      await write({ cards: [card('card-1'), card('card-2')], references: [reference('1', 'card-1')] })
      await write({ references: [reference('1', 'card-2', { kind: 'recurring-payment' }), receiving] })
      store = await opened.again()
      expect(await store.cardReference('shop', '1')).toEqual(reference('1', 'card-1'))
      expect(await store.cardReference('shop', '2')).toEqual(receiving)
      expect(await store.cardReference('other', '1')).toBeUndefined()
      expect(await store.cardReference('shop', '3')).toBeUndefined()
    })

    test('cards under another key are listed by their ids, and rewrapped once', async () => {
      const cards = ['c', 'a', 'd', 'b'].map((id) => card(id, { keyId: id === 'd' ? 'key-2' : 'key-1' }))
      await write({ cards })
      const ids = async (after: string, limit: number) =>
        (await store.cardsNotUnder('key-2', after, limit)).map(({ cardId }) => cardId)
      expect(await ids('', 9)).toEqual(['a', 'b', 'c'])
      expect(await ids('', 2)).toEqual(['a', 'b'])
      expect(await ids('b', 9)).toEqual(['c'])
      const rewrapped = card('a', { keyId: 'key-2', wrappedKey: Uint8Array.of(9) })
      expect(await store.rewrapCard(rewrapped, card('a'))).toBe(true)
      expect(await store.card('a')).toEqual(rewrapped)
      expect(await store.rewrapCard(rewrapped, card('a'))).toBe(false)
      expect(await store.rewrapCard(card('b'), card('b', { wrappedKey: Uint8Array.of(0, 255) }))).toBe(false)
      expect(await store.rewrapCard(card('b'), card('b', { keyId: 'key-2' }))).toBe(false)
      expect(await store.rewrapCard(card('x'), card('x'))).toBe(false)
      expect(await ids('', 9)).toEqual(['b', 'c'])
    })
  })

  describe('recurring payments', () => {
    test('come back as they were written, whatever their amount is', async () => {
      const amounts = [
        { kind: 'fixed', amount: 9_007_199_254_740_993n },
        { kind: 'range', from: 1n, to: 2n },
        { kind: 'sequence', amounts: [3n, 4n] },
      ] as const
      const schedule = { period: 'month', interval: 1, startDate: '2030-01-31' } as const
      const payments = amounts.map((amount, at) => recurring(`r${at}`, { amount, schedule, orderDesc: 'Ключ' }))
      await write({ cards: [card('card-1')] }, ...payments.map((recurringPayment) => ({ recurringPayment })))
      store = await opened.again()
      for (const [at, payment] of payments.entries()) {
        expect(await store.recurringPayment('shop', `r${at}`)).toEqual(payment)
        expect(await store.recurringPaymentById(`of r${at}`)).toEqual(payment)
      }
      expect(await store.recurringPaymentById('r0')).toBeUndefined()
      expect(await store.recurringPayment('other', 'r0')).toBeUndefined()
    })

    test('a merchant has a client order id once', async () => {
      await write({ cards: [card('card-1')], recurringPayment: recurring('r') })
      await refused({ recurringPayment: recurring('r', { recurringPaymentId: '2' }) }, 'recurring-payment')
      await refused({ recurringPayment: recurring('other', { recurringPaymentId: 'of r' }) }, 'recurring-payment')
      await write({ recurringPayment: recurring('r', { recurringPaymentId: '3', login: 'other' }) })
    })

    test('[G14-06] a change is written over the version before it, and over no other', async () => {
      const first = recurring('r')
      await write({ cards: [card('card-1'), card('card-2')], recurringPayment: first })
      const second = { ...first, version: 2, cardId: 'card-2', amount: { kind: 'sequence', amounts: [7n] } } as const
      await write({ recurringPayment: second })
      expect(await store.recurringPaymentById('of r')).toEqual(second)
      for (const version of [1, 2, 4]) await refused({ recurringPayment: { ...second, version } }, 'recurring-payment')
      const other = recurring('r', { recurringPaymentId: 'another', version: 3 })
      await refused({ recurringPayment: other }, 'recurring-payment')
      store = await opened.again()
      expect(await store.recurringPayment('shop', 'r')).toEqual(second)
    })

    test('[G14-06] of changes at once one is written, with all that belongs to it', async () => {
      const first = recurring('r')
      await write({ cards: [card('card-1')], recurringPayment: first })
      const changes = [1, 2, 3, 4].map((digits) => ({
        ...opening(order(digits)),
        recurringPayment: { ...first, version: 2, orderDesc: `by ${digits}` },
      }))
      const committed = await Promise.all(changes.map((change) => store.commit(change, NOW)))
      const written = committed.map(({ ok }, at) => ({ ok, digits: at + 1 })).filter(({ ok }) => ok)
      expect(written).toHaveLength(1)
      expect(committed.filter(({ ok }) => !ok)).toEqual(Array(3).fill({ ok: false, conflict: 'recurring-payment' }))
      const digits = written[0]?.digits ?? 0
      expect(await store.recurringPaymentById('of r')).toMatchObject({ version: 2, orderDesc: `by ${digits}` })
      for (const each of [1, 2, 3, 4]) {
        expect((await store.orderById(order(each).orderId)) !== undefined).toBe(each === digits)
      }
    })
  })

  test('the tasks of an order, and no others, are listed by when they are due', async () => {
    const [first, second] = [order(1), order(2)]
    const late = task(first, { id: 'late', kind: 'lookup', dueAt: NOW + 9 })
    const early = task(first, { id: 'early', dueAt: NOW + 1 })
    const payment = recurring('r')
    await write({ ...opening(first), tasks: [late, early] }, { ...opening(second), tasks: [task(second)] })
    await write({ cards: [card('card-1')], recurringPayment: payment, tasks: [chargeTask(payment)] })
    expect(await store.tasksOf(first.orderId)).toEqual([early, late])
    await write({ doneTasks: ['early'] })
    expect(await store.tasksOf(first.orderId)).toEqual([late])
    expect(await store.tasksOf('123456789012345')).toEqual([])
  })

  test('a reset forgets everything, and the same may be written again', async () => {
    const first = order(1, { signedAs: 'control', operations: [preauth] })
    const payment = recurring('r')
    const changes: readonly Change[] = [
      { ...opening(first), nonce: nonce('a'), cards: [card('card-1')], tasks: [task(first)] },
      { deliveries: [delivery(first)], postings: postings(first, 100n) },
      { references: [reference('reference', 'card-1')], recurringPayment: payment, tasks: [chargeTask(payment)] },
    ]
    const everything = async () => [
      await store.orderById(first.orderId),
      await store.findOrder(first),
      await store.recentOrders('shop', 9),
      await store.postingsOf(first.orderId),
      await store.deliveriesOf(first.orderId),
      await store.tasksOf(first.orderId),
      await store.nextDueAt(),
      await store.card('card-1'),
      await store.cardReference('shop', 'reference'),
      await store.recurringPayment('shop', 'r'),
    ]
    await write(...changes)
    const before = await everything()
    await store.reset()
    const NOTHING = [undefined, undefined, [], [], [], [], undefined, undefined, undefined, undefined]
    expect(await everything()).toEqual(NOTHING)
    store = await opened.again()
    if (store.durable) expect(await everything()).toEqual(NOTHING)
    await write(...changes)
    expect(await everything()).toEqual(before)
    await refused({ nonce: nonce('a') }, 'nonce')
  })

  test('[F-B2] records of operators are found by order, the latest first, and outlive a reset', async () => {
    const all = [1, 2, 3].map((second) => record(second === 2 ? undefined : order(1).orderId, NOW + second))
    await write({ records: all.slice(0, 2) }, { records: all.slice(2) })
    await store.reset()
    expect(await store.operatorRecords({ limit: 9 })).toEqual(all.toReversed())
    expect(await store.operatorRecords({ limit: 1 })).toEqual(all.slice(2))
    expect(await store.operatorRecords({ orderId: order(1).orderId, limit: 9 })).toEqual([all[2], all[0]])
    expect(await store.operatorRecords({ orderId: order(2).orderId, limit: 9 })).toEqual([])
  })

  test('a store is ready, and closes more than once', async () => {
    expect(await store.isReady()).toBe(true)
    await store.close()
    await store.close()
  })
}
