import type { Intent, JournalStore } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore, sqliteJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { intentWith } from './intents.ts'
import { ownFolder } from './own-folder.ts'
import { type Answer, shopProcess, statusReply } from './shop-process.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const inFolder = ownFolder()
const STORES = [
  ['memory', memoryJournalStore],
  ['SQLite', () => sqliteJournalStore({ file: inFolder('shop.db') })],
] as const

const approved: Answer = async (_operation, request) =>
  statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
const never = () => new Promise<never>(() => {})

/** A payment that was approved a hundred days ago, and is due to be watched. */
function paidAt(now: number, name: string, changes: Partial<Intent> = {}): Intent {
  return intentWith({
    intentId: name,
    businessKey: name,
    clientOrderId: name,
    orderId: '9',
    state: 'FINAL',
    status: 'approved',
    observed: { status: 'approved', transactionType: 'sale', amount: '1042', currency: 'USD' },
    createdAt: now - 100 * DAY,
    sentAt: now - 100 * DAY,
    lookedAt: now - 20 * DAY,
    watchAt: now,
    ...changes,
  })
}

test.each([
  ['by default 34 times in 540 days', undefined, 34, 540],
  ['for as many days as were asked for', 10, 8, 10],
  ['never, if that was asked for', 0, 0, 0],
])('A payment is watched %s', async (_what, watchDays, times, last) => {
  const clock = handClock()
  const store = memoryJournalStore()
  const began = clock.now()
  const days: number[] = []
  const { journal } = shopProcess({
    store,
    clock,
    answer: async (...asked) => {
      days.push((clock.now() - began) / DAY)
      return await approved(...asked)
    },
    handler: () => {},
    ...(watchDays === undefined ? {} : { watchDays }),
  })
  await store.insert(paidAt(began, 'a', { state: 'UNKNOWN', status: undefined, sentAt: began, nextCheckAt: began }))
  await journal.reconcile()
  expect(days).toEqual([0])
  for (let quarter = 0; quarter < 4 * 600; quarter++) {
    await clock.goOn(DAY / 4)
    await journal.reconcile()
  }
  expect(days.length - 1).toBe(times)
  expect(days.at(-1)).toBe(last)
})

describe.each(STORES)('What is watched, in %s,', (_kind, open) => {
  test('holds up nothing that is open, however much of it is due and hangs: two are asked for at a time', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    const [asked, reported]: [string[], string[]] = [[], []]
    for (let number = 0; number < 50; number++) await store.insert(paidAt(clock.now() - DAY, `old ${number}`))
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (operation, request) => {
        const id = new URLSearchParams(request.body).get('client_orderid') ?? ''
        if (!id.startsWith('old')) return await approved(operation, request)
        asked.push(id)
        return await never()
      },
      handler: ({ outcome }) => void reported.push(outcome.clientOrderId),
      onOrphan: () => {},
    })
    journal.start()
    await clock.goOn(2000)
    const now = clock.now()
    await store.insert(
      paidAt(now, 'new', { state: 'UNKNOWN', status: undefined, nextCheckAt: now, watchAt: undefined }),
    )
    await clock.goOn(2000)
    expect([reported, new Set(asked).size]).toEqual([['new'], 2])
  })

  test('is asked for in one call, all of it, and holds up nothing that comes meanwhile', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    const asked: string[] = []
    let reported = 0
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (operation, request) => {
        asked.push(new URLSearchParams(request.body).get('client_orderid') ?? '')
        const now = clock.now()
        const open: Partial<Intent> = { state: 'UNKNOWN', status: undefined, nextCheckAt: now, watchAt: undefined }
        if (asked.length === 5) await store.insert(paidAt(now, 'new', open))
        return await approved(operation, request)
      },
      handler: () => {
        reported = asked.length
      },
      onOrphan: () => {},
    })
    for (let number = 0; number < 20; number++) {
      const [clientOrderId, reported] = [
        `orphan ${number}`,
        { status: 'approved', transactionType: 'sale', amount: '1042' },
      ]
      await store.insert(paidAt(clock.now(), `old ${number}`))
      const order = { clientOrderId, orderId: '9', status: 'approved', receivedAt: clock.now() }
      await store.receive(order, { limit: 99, checkAt: clock.now() })
      const [orphan] = await store.claimOrphans({ now: clock.now(), leaseUntil: clock.now() + 1, limit: 1 })
      if (orphan) await store.settleOrphan(orphan, { reported, at: clock.now(), watchAt: clock.now() }, 0, 0)
    }
    expect(await journal.reconcile()).toEqual({ checked: 21, delivered: 1, orphans: 0 })
    expect([asked.length, asked.indexOf('new') < 12, reported < 12]).toEqual([41, true, true])
    await journal.close()
  })

  test('is nothing that is open: neither for the report, nor for when something is due next', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    await store.insert(paidAt(clock.now(), 'a'))
    const { journal } = shopProcess({ store, clock, answer: approved })
    expect(await store.nextDueAt({ until: clock.now() + DAY, withOutcomes: true })).toBeUndefined()
    const report = await journal.report()
    expect([report.open, report.unknown, report.review, report.counts]).toEqual([[], [], [], { FINAL: 1 }])
    await journal.settled()
    await journal.close()
  })

  test('is found in the background within a minute of its time, and waits for no later one', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    const asked: string[] = []
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (operation, request) => {
        asked.push(new URLSearchParams(request.body).get('client_orderid') ?? '')
        return await approved(operation, request)
      },
    })
    journal.start()
    await clock.goOn(5000)
    for (let number = 0; number < 20; number++) await store.insert(paidAt(clock.now(), `${number}`))
    await clock.goOn(MINUTE + 5000)
    expect(new Set(asked).size).toBe(20)
    expect(asked).toHaveLength(20)
    await journal.close()
  })

  test('is asked for at most once in two seconds, whatever else has just looked', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    let asked = 0
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (...request) => {
        asked++
        return await approved(...request)
      },
    })
    await store.insert(paidAt(clock.now(), 'a', { lookedAt: clock.now() - 1 }))
    await journal.settled()
    expect(asked).toBe(0)
    await clock.goOn(2000)
    await journal.settled()
    expect(asked).toBe(1)
    expect((await store.find('a'))?.nextCheckAt).toBeUndefined()
    await journal.close()
  })

  test('survives a clock that is ten years ahead for a while', async () => {
    const time = handClock()
    let aheadMs = 0
    const clock = { ...time, now: () => time.now() + aheadMs }
    const pass = async (milliseconds: number) => {
      await time.goOn(milliseconds)
      await journal.reconcile()
    }
    const store = open() as JournalStore<unknown>
    let amount = '10.42'
    const reported: string[] = []
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (_operation, request) =>
        statusReply(request, {
          status: 'approved',
          amount,
          currency: 'USD',
          ...(amount === '0.00' && { 'transaction-type': 'chargeback' }),
        }),
      handler: () => {},
      onNotice: ({ notice }) => void reported.push(`${notice.transactionType} ${notice.clientOrderId}`),
      onOrphan: () => {},
      onOrphanNotice: ({ change, clientOrderId }) => void reported.push(`${change?.transactionType} ${clientOrderId}`),
    })
    await store.insert(paidAt(clock.now(), 'a', { watchAt: clock.now() + 10 * DAY }))
    await journal.inbox.receive({ clientOrderId: 'orphan', orderId: '9', status: 'approved' })
    await pass(5 * MINUTE)
    aheadMs = 3650 * DAY
    await pass(5 * MINUTE)
    await pass(120 * MINUTE)
    aheadMs = 0
    await pass(5 * MINUTE)
    amount = '0.00'
    for (let day = 0; day < 40; day++) await pass(DAY)
    expect(reported.toSorted()).toEqual(['chargeback a', 'chargeback orphan'])
    await journal.close()
  })

  test('and had a callback of which no status tells yet, is told of when the watching has ended', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    let mode: 'sale' | 'silent' | 'chargeback' = 'sale'
    const reported: string[] = []
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (_operation, request) =>
        mode === 'silent'
          ? { kind: 'lost', seen: 'reset' }
          : statusReply(request, { 'transaction-type': mode, status: 'approved', amount: '10.42', currency: 'USD' }),
      onOrphan: ({ kind }) => void reported.push(kind),
      onOrphanNotice: ({ change }) => void reported.push(`${change?.transactionType}`),
      watchDays: 10,
    })
    const pass = async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        await clock.goOn(60 * MINUTE)
        await journal.reconcile()
      }
    }
    const order = { clientOrderId: 'charge', orderId: '9', status: 'approved' }
    await journal.inbox.receive(order)
    await pass(180)
    mode = 'silent'
    await journal.inbox.receive({ ...order, type: 'chargeback' })
    await pass(72)
    expect([reported, (await journal.report()).orphans]).toMatchObject([['outcome'], [{ callbacks: 2 }]])
    mode = 'chargeback'
    await pass(48)
    expect([reported, (await journal.report()).orphans]).toEqual([['outcome', 'chargeback'], []])
  })

  test('and is an order without an intent stays reported if the gateway does not answer, and is reported again within an hour if that failed', async () => {
    const clock = handClock()
    const store = open() as JournalStore<unknown>
    let mode: 'sale' | 'silent' | 'chargeback' = 'sale'
    let isBroken = true
    const [reported, events]: [string[], string[]] = [[], []]
    const { journal } = shopProcess({
      store,
      clock,
      answer: async (_operation, request) =>
        mode === 'silent'
          ? { kind: 'lost', seen: 'reset' }
          : statusReply(request, { 'transaction-type': mode, status: 'approved', amount: '10.42', currency: 'USD' }),
      onOrphan: ({ kind }) => void reported.push(kind),
      onOrphanNotice: ({ change }) => {
        if (isBroken) throw new Error('no disk')
        reported.push(`${change?.transactionType}`)
      },
      onEvent: ({ type }) => void events.push(type),
    })
    const pass = async (days: number) => {
      for (let hour = 0; hour < 24 * days; hour++) {
        await clock.goOn(60 * MINUTE)
        await journal.reconcile()
      }
    }
    await journal.inbox.receive({ clientOrderId: 'charge', orderId: '9', status: 'approved' })
    await pass(1)
    mode = 'silent'
    await pass(40)
    expect([reported, events, (await journal.report()).orphans]).toEqual([['outcome'], [], []])
    mode = 'chargeback'
    await pass(4)
    expect(new Set(events)).toEqual(new Set(['ORPHAN_FAILED']))
    isBroken = false
    await pass(0.05)
    expect(reported).toEqual(['outcome', 'chargeback'])
    await pass(100)
    expect(reported).toEqual(['outcome', 'chargeback'])
  })
})
