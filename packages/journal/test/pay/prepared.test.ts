import type { Exchange } from '@tallystick/client'
import type { IntentChange } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { intentText } from '../../src/cli/show.ts'
import { type JournalEvent, type JournalOptions, memoryJournalStore, sqliteJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { ownFolder } from '../own-folder.ts'
import { rebill, replied, type ShopProcess, shopProcess, statusReply } from '../shop-process.ts'

const inFolder = ownFolder()
const KEY = { profile: 'sub 12', period: '2026-11' }
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'No such order' })
const NOT_SENT: Exchange = { kind: 'not-sent', seen: 'connect ECONNREFUSED' }
const order = { clientOrderId: 'order-a', orderId: '9' }
const capture = { ...order, amount: '3.00', currency: 'USD' }
const sale = {
  orderDesc: 'shoes',
  address1: '1 High St',
  city: 'Bath',
  zipCode: 'BA1',
  country: 'GB',
  phone: '+447700900000',
  email: 'a@example.com',
  customerIp: '192.0.2.1',
  amount: '10.42',
  currency: 'USD',
  cardNumber: '4111111111111111',
  cardPrintedName: 'A B',
  expireMonth: '12',
  expireYear: '2030',
  cvv2: '123',
} as const

/** A gateway with an order that can be captured, and the processes of a shop. */
function world(store = memoryJournalStore()) {
  const clock = handClock()
  const gateway = {
    /** The requests that were sent, without status checks. */
    sent: [] as string[],
    last: new URLSearchParams(),
    /** The orders that it has, by their client order ids, with what their status shows. */
    orders: new Map<string, Record<string, string>>([
      ['order-a', { status: 'approved', 'transaction-type': 'preauth' }],
    ]),
    /** How it answers the next requests. */
    instead: [] as Exchange[],
    statusInstead: undefined as Exchange | undefined,
    /** Resolves when a request may be answered. */
    gate: Promise.resolve(),
  }
  /** Whether writes of changes stand still. */
  const database = { isStuck: false }
  const used = {
    ...store,
    update: async (...changes: readonly IntentChange[]) =>
      database.isStuck ? await new Promise<boolean>(() => {}) : await store.update(...changes),
  }
  const events: JournalEvent[] = []
  const told: string[] = []
  const process = (
    options: Partial<Pick<JournalOptions<undefined>, 'sendPreparedAfterMs'>> = {},
  ): ShopProcess<undefined> =>
    shopProcess({
      ...options,
      store: used,
      clock,
      onEvent: (event) => void events.push(event),
      handler: ({ outcome }) => void told.push(`${outcome.businessKey}: ${outcome.operation} ${outcome.status}`),
      answer: async (operation, request) => {
        const id = new URLSearchParams(request.body).get('client_orderid') ?? ''
        const shown = gateway.orders.get(id)
        if (operation === 'status') {
          if (gateway.statusInstead !== undefined) return gateway.statusInstead
          return shown === undefined ? NO_SUCH_ORDER : statusReply(request, shown)
        }
        gateway.sent.push(operation)
        gateway.last = new URLSearchParams(request.body)
        await gateway.gate
        const instead = gateway.instead.shift()
        if (instead !== undefined) return instead
        gateway.orders.set(id, { status: 'approved', 'transaction-type': operation, amount: '10.42', currency: 'USD' })
        return replied({ type: 'async-response', 'paynet-order-id': '9', 'merchant-order-id': id })
      },
    })
  const started = (options?: Parameters<typeof process>[0]) => {
    const shop = process(options)
    shop.journal.start()
    return shop
  }
  const types = () => events.map(({ type }) => type)
  return { store, database, clock, gateway, events, told, types, process, started }
}

describe('A prepared request without a card, whose caller does not come,', () => {
  test('is sent by the journal of another process after a minute, once, and its outcome reaches the handler', async () => {
    const { clock, gateway, told, process, started } = world()
    const first = process()
    const { intent } = await first.journal.prepare(KEY, 'makeRebill', rebill, undefined)
    first.die()
    const { journal } = started()
    await clock.goOn(59_999)
    expect(gateway.sent).toEqual([])
    await clock.goOn(60_000)
    expect(gateway.sent).toEqual(['make-rebill'])
    expect(told).toEqual(['rebill sub%2012 2026-11: makeRebill approved'])
    const [after] = await journal.attempts(KEY)
    expect(after).toMatchObject({
      intentId: intent.intentId,
      clientOrderId: intent.clientOrderId,
      sends: 1,
      attempt: 1,
    })
    expect(after?.input).toBeUndefined()
    expect(after?.evidence[0]?.seen).toBe('its caller did not come: sent by the journal itself')
    await journal.close()
  })

  test('is sent with the fields that it was prepared with', async () => {
    const { clock, gateway, started } = world()
    const { journal } = started()
    await journal.prepare('capture 1', 'capture', capture, undefined)
    await clock.goOn(70_000)
    const fields = ['client_orderid', 'orderid', 'amount', 'currency'].map((name) => gateway.last.get(name))
    expect(fields).toEqual(['order-a', '9', '3.00', 'USD'])
    await journal.close()
  })

  test('waits as long as `sendPreparedAfterMs` says', async () => {
    const { clock, gateway, started } = world()
    const { journal } = started({ sendPreparedAfterMs: 5000 })
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(4999)
    expect(gateway.sent).toEqual([])
    await clock.goOn(1000)
    expect(gateway.sent).toEqual(['make-rebill'])
    await journal.close()
  })

  test("waits for ever if it is 'never', and nothing is stored of its input", async () => {
    const { clock, gateway, store, events, started } = world()
    const { journal } = started({ sendPreparedAfterMs: 'never' })
    const { intent } = await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(90_000)
    expect([gateway.sent, events, (await store.find(intent.intentId))?.input]).toEqual([[], [], undefined])
    await journal.close()
  })

  test('is not sent again if its caller comes after all: it is told how the request stands', async () => {
    const { clock, gateway, started } = world()
    const { journal } = started()
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(70_000)
    expect(await journal.pay(KEY, 'makeRebill', rebill)).toMatchObject({ outcome: 'final', intent: { attempt: 1 } })
    expect(gateway.sent).toEqual(['make-rebill'])
    await journal.close()
  })

  test('is sent once if its caller and the journals of three processes meet', async () => {
    const { clock, gateway, process } = world()
    const shops = [process(), process(), process()]
    const [caller] = shops
    await caller?.journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(60_000)
    const all = Promise.all([
      caller?.journal.pay(KEY, 'makeRebill', rebill),
      ...shops.map(({ journal }) => journal.reconcile()),
      shops[1]?.journal.pay(KEY, 'makeRebill', rebill),
    ])
    await clock.goOn(2000)
    await all
    expect(gateway.sent).toEqual(['make-rebill'])
    for (const { journal } of shops) await journal.close()
  })

  test('is left to another process if this one dies before it has marked it, and to the status if it dies after that', async () => {
    const { clock, gateway, database, process, started } = world()
    const [first, second] = [process(), process()]
    await first.journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(60_000)
    database.isStuck = true
    void first.journal.reconcile()
    await clock.goOn(1000)
    first.die()
    database.isStuck = false
    expect(gateway.sent).toEqual([])
    await clock.goOn(8000)
    gateway.gate = new Promise(() => {})
    void second.journal.reconcile()
    await clock.goOn(1000)
    second.die()
    expect(gateway.sent).toEqual(['make-rebill'])
    const { journal } = started()
    await clock.goOn(20_000)
    expect((await journal.attempts(KEY))[0]).toMatchObject({ state: 'UNKNOWN', input: undefined })
    expect(gateway.sent).toEqual(['make-rebill'])
    await journal.close()
  })

  test('is tried again while the gateway does not answer, however often, and sent when it does', async () => {
    const { clock, gateway, told, started } = world()
    const { journal } = started()
    gateway.statusInstead = NOT_SENT
    await journal.prepare('capture 1', 'capture', capture, undefined)
    await clock.goOn(6 * 3_600_000)
    expect(gateway.sent).toEqual([])
    expect((await journal.report()).notSent).toMatchObject([{ businessKey: 'capture 1', state: 'PREPARED' }])
    gateway.statusInstead = undefined
    await clock.goOn(3_600_000)
    expect([gateway.sent, told]).toEqual([['capture'], ['capture 1: capture approved']])
    await journal.close()
  })

  test('waits until the order can be changed', async () => {
    const { clock, gateway, started } = world()
    const { journal } = started()
    gateway.orders.set('order-a', { status: 'processing', 'transaction-type': 'preauth' })
    await journal.prepare('capture 1', 'capture', capture, undefined)
    await clock.goOn(150_000)
    expect(gateway.sent).toEqual([])
    gateway.orders.set('order-a', { status: 'approved', 'transaction-type': 'preauth' })
    await clock.goOn(150_000)
    expect(gateway.sent).toEqual(['capture'])
    await journal.close()
  })

  test('is sent five times at most if it never leaves, and then waits for its caller', async () => {
    const { clock, gateway, types, started } = world()
    const { journal } = started()
    gateway.instead.push(...Array.from({ length: 9 }, () => NOT_SENT))
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(24 * 3_600_000)
    expect([gateway.sent.length, types()]).toEqual([5, ['PREPARED_WAITS']])
    expect((await journal.report()).notSent).toMatchObject([{ state: 'NOT_SENT', sends: 5, input: undefined }])
    await journal.close()
  })

  test('goes on being sent if its caller came once and it did not leave', async () => {
    const { clock, gateway, started } = world()
    const { journal } = started()
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    gateway.instead.push(NOT_SENT)
    expect(await journal.pay(KEY, 'makeRebill', rebill)).toMatchObject({ outcome: 'notSent' })
    await clock.goOn(61_000)
    expect((await journal.attempts(KEY))[0]).toMatchObject({ sends: 2, state: 'ACCEPTED' })
    await journal.close()
  })

  test('is reported as refused if the gateway refuses it, since nobody else would say so', async () => {
    const { clock, gateway, types, started } = world()
    const { journal } = started()
    gateway.instead.push(replied({ type: 'validation-error', 'error-code': '7', 'error-message': 'No such card' }))
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(70_000)
    expect([gateway.sent, types()]).toEqual([['make-rebill'], ['REFUSED']])
    await journal.close()
  })

  test('is not sent once another request was made under its key', async () => {
    const { clock, gateway, started } = world()
    const { journal } = started()
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await journal.pay(KEY, 'makeRebill', { ...rebill, amount: '11.00' })
    await clock.goOn(200_000)
    expect(gateway.sent).toEqual(['make-rebill'])
    expect(await journal.attempts(KEY)).toMatchObject([{ state: 'REJECTED' }, { amounts: ['1100'] }])
    await journal.close()
  })

  test('[F-A2] is asked for before it is sent, and taken over if a journal that was lost has sent it', async () => {
    const before = world()
    const { journal } = before.process()
    const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
    await journal.close()
    const after = world(sqliteJournalStore({ file: inFolder('anew.db') }) as never)
    after.gateway.orders.set(intent.clientOrderId, before.gateway.orders.get(intent.clientOrderId) ?? {})
    const second = after.started().journal
    await second.prepare(KEY, 'makeRebill', rebill, undefined as never)
    await after.clock.goOn(70_000)
    expect([after.gateway.sent, after.types()]).toEqual([[], ['TAKEN_OVER']])
    expect(await second.attempts(KEY)).toMatchObject([{ state: 'FINAL', clientOrderId: intent.clientOrderId }])
    await second.close()
  })

  test('is found under the key that it was made with, also if that is a text that looks like the key of a rebill', async () => {
    const { clock, gateway, types, started } = world(sqliteJournalStore({ file: inFolder('alike.db') }) as never)
    const { journal } = started()
    const text = 'rebill sub%2012 2026-11'
    const payout = { amount: '10.42', currency: 'USD', destinationCardRefId: '123456789012345' }
    const { intent } = await journal.prepare(text, 'payout', payout, undefined as never)
    // The period was paid before, by another journal: that is another key.
    const ofPeriod = (await world().process().journal.prepare(KEY, 'makeRebill', rebill, undefined)).intent
    gateway.orders.set(ofPeriod.clientOrderId, { status: 'approved', amount: '10.42', currency: 'USD' })
    await clock.goOn(70_000)
    expect([gateway.sent.length, types()]).toEqual([1, []])
    expect(await journal.attempts(text)).toMatchObject([{ clientOrderId: intent.clientOrderId, sends: 1 }])
    await journal.close()
  })

  test('that is older than thirty days is not sent: it waits for its caller', async () => {
    const { clock, gateway, types, process } = world()
    const first = process()
    await first.journal.prepare(KEY, 'makeRebill', rebill, undefined)
    await clock.goOn(30 * 86_400_000)
    await first.journal.reconcile()
    expect([gateway.sent, types()]).toEqual([[], ['PREPARED_WAITS']])
    await first.journal.close()
  })
})

describe('A prepared request that needs its caller', () => {
  test('is never sent by the journal, which says once that it waits; its caller sends it with the card', async () => {
    const { clock, gateway, types, events, started } = world()
    const { journal } = started()
    await journal.prepare('invoice 77', 'sale', sale, undefined)
    await clock.goOn(59_999)
    expect(types()).toEqual([])
    await clock.goOn(24 * 3_600_000)
    expect([gateway.sent, types()]).toEqual([[], ['PREPARED_WAITS']])
    const [event] = events
    expect(event).toMatchObject({ intent: { businessKey: 'invoice 77', state: 'PREPARED', input: undefined } })
    expect((await journal.report()).notSent).toMatchObject([{ businessKey: 'invoice 77' }])
    expect(await journal.pay('invoice 77', 'sale', sale)).toMatchObject({ outcome: 'accepted', intent: { sends: 1 } })
    await journal.close()
  })

  test('is reported again if the process dies before it has written that it was', async () => {
    const { clock, database, types, process, started } = world()
    const first = process()
    await first.journal.prepare('invoice 77', 'sale', sale, undefined)
    await clock.goOn(60_000)
    database.isStuck = true
    void first.journal.reconcile()
    await clock.goOn(1000)
    first.die()
    database.isStuck = false
    const { journal } = started()
    await clock.goOn(10_000)
    expect(types()).toEqual(['PREPARED_WAITS', 'PREPARED_WAITS'])
    await journal.close()
  })

  test('is shown with what it waits for', async () => {
    const { clock, started } = world()
    const { journal } = started()
    const card = (await journal.prepare('invoice 77', 'sale', sale, undefined)).intent
    const { intent } = await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    const shown = (one: typeof intent) => intentText(one, { intents: [], outcomes: [], orphans: [] }, clock.now())
    expect(shown(card)).toContain('PREPARED: written, and never sent; its caller has time until the next check\n')
    expect(shown(intent)).toContain('never sent; if its caller does not come, the next check sends it\n')
    await clock.goOn(60_000)
    const [waiting] = await journal.attempts('invoice 77')
    expect(shown(waiting ?? card)).toContain('it waits for its caller: journal.pay with the same key and input\n')
    await journal.close()
  })
})

test('What `pay` has written and not sent is left to its caller: the process may have died before it had an answer', async () => {
  const { clock, database, gateway, events, process, started } = world()
  const first = process()
  database.isStuck = true
  void first.journal.pay(KEY, 'makeRebill', rebill)
  await clock.goOn(1000)
  first.die()
  database.isStuck = false
  const { journal } = started()
  await clock.goOn(90_000)
  expect([gateway.sent, events]).toEqual([[], []])
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'PREPARED', sends: 0 }])
  await journal.close()
})
