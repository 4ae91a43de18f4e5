import { DatabaseSync } from 'node:sqlite'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OutcomeHandler } from '../../src/context.ts'
import {
  createJournal,
  type JournalEvent,
  memoryJournalStore,
  type OrphanNotice,
  sqliteJournalStore,
} from '../../src/index.ts'
import { decidingClient } from '../deciding-client.ts'
import { type HandClock, handClock } from '../hand-clock.ts'
import { intentWith, outcomeWith, withOutcomes } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'

const inFolder = ownFolder()
let clock: HandClock
beforeEach(() => {
  clock = handClock()
})

const inFile = () => sqliteJournalStore({ file: inFolder('shop.db') })
const approved = () => ({ status: 'approved', 'paynet-order-id': '9', amount: '10.42', currency: 'USD' })
const never = () => new Promise<void>(() => {})

/** Sales whose status is due now. */
async function withDue(store: JournalStore<unknown>, ...orders: readonly string[]) {
  const at = clock.now()
  for (const order of orders) {
    const names = { intentId: order, businessKey: order, clientOrderId: order }
    await store.insert(intentWith({ ...names, state: 'UNKNOWN', sentAt: at, nextCheckAt: at }))
  }
}

/** A handler of outcomes and notices alike. */
type Taking<Transaction> = (told: { outcome: JournalOutcome; transaction: Transaction }) => void | Promise<void>

function started<Transaction>(store: JournalStore<Transaction>, handler: Taking<Transaction>) {
  const events: JournalEvent[] = []
  const journal = createJournal<Transaction>({
    client: decidingClient(approved),
    store,
    clock,
    handler,
    onNotice: ({ notice, transaction }) => handler({ outcome: notice, transaction }),
    onEvent: (event) => void events.push(event),
  })
  journal.start()
  return { journal, events }
}

test('Outcomes that other processes are handing over do not block the next ones, and do not count as done here', async () => {
  const memory = memoryJournalStore()
  const theirs = new Set(['a', 'b', 'c', 'd'])
  const store: JournalStore = {
    ...memory,
    deliver: async (outcome, ...rest) =>
      theirs.has(outcome.clientOrderId) ? 'not-mine' : await memory.deliver(outcome, ...rest),
  }
  await withOutcomes(store, ...theirs, 'e')
  const told: string[] = []
  const handler: OutcomeHandler<undefined> = ({ outcome }) => void told.push(outcome.clientOrderId)
  const journal = createJournal({
    client: decidingClient(approved),
    store,
    clock,
    handler,
    onNotice: 'ignore',
    onEvent: () => {},
  })
  expect(await journal.reconcile()).toMatchObject({ delivered: 1 })
  expect(told).toEqual(['e'])
})

test('A handler that fails is called again after a second, then after twice as long each time, at most 5 minutes', async () => {
  const store = memoryJournalStore()
  await withDue(store, 'a')
  const [began, tries] = [clock.now(), [] as number[]]
  const { journal } = started(store, () => {
    tries.push(clock.now() - began)
    throw new Error('no disk')
  })
  await clock.goOn(20_000)
  expect(tries).toEqual([0, 1000, 3000, 7000, 15_000])
  await clock.goOn(1_500_000)
  const [before = 0, last = 0] = tries.slice(-2)
  expect(last - before).toBe(300_000)
  await journal.close()
})

describe('A handler that never ends', () => {
  test.each([
    ['memory, at once', memoryJournalStore, 1000],
    ['a SQLite file, as soon as its time is over', inFile, 20_000],
  ])('holds up no other order: all of them end, and their outcomes are delivered (%s)', async (_kind, open, within) => {
    const store = open() as JournalStore<unknown>
    await withDue(store, 'a', 'stuck', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')
    const told: string[] = []
    const { journal } = started(store, ({ outcome }) => {
      if (outcome.clientOrderId !== 'stuck') return void told.push(outcome.clientOrderId)
      return never()
    })
    await clock.goOn(within)
    expect(told.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
    expect(await store.counts()).toEqual({ FINAL: 10 })
    // A sale that becomes due later ends as well.
    const adding = withDue(store, 'later')
    await clock.goOn(within)
    await adding
    await clock.goOn(within)
    expect(told.at(-1)).toBe('later')
    const closing = journal.close()
    await clock.goOn(10_000)
    await closing
  })

  test('is given up after 10 seconds, reported, and called again later; later outcomes of its order wait', async () => {
    const store = memoryJournalStore()
    await store.insert(intentWith())
    await store.update({
      intent: { ...intentWith(), version: 2 },
      outcomes: [outcomeWith(), outcomeWith({ kind: 'notice' })],
    })
    const told: string[] = []
    const { journal, events } = started(store, ({ outcome }) => {
      told.push(outcome.key)
      return told.length === 1 ? never() : undefined
    })
    await clock.goOn(9999)
    expect([told, events]).toEqual([['order-a:1'], []])
    await clock.goOn(1)
    expect(events).toMatchObject([{ type: 'HANDLER_FAILED', error: { code: 'HANDLER_TIMEOUT' } }])
    expect(String(events.map((event) => 'error' in event && event.error))).toContain('10000 ms (handlerTimeoutMs)')
    await clock.goOn(2000)
    expect(told).toEqual(['order-a:1', 'order-a:1', 'order-a:2'])
    await journal.close()
  })

  test('can no longer write to a SQLite file, and nothing it wrote remains', async () => {
    const shop = new DatabaseSync(inFolder('shop.db'))
    shop.exec('create table paid (key text) strict')
    const store = inFile()
    await withDue(store, 'order-a')
    const late = Promise.withResolvers<void>()
    const wrote: unknown[] = []
    const { journal } = started(store, async ({ outcome, transaction }) => {
      transaction.exec(`insert into paid values ('${outcome.key}')`)
      if (wrote.length > 0) return
      wrote.push('first')
      await late.promise
      try {
        transaction.exec("insert into paid values ('late')")
      } catch (error) {
        wrote.push(String(error))
      }
    })
    await clock.goOn(10_000)
    late.resolve()
    await clock.goOn(2000)
    expect(wrote).toEqual(['first', expect.stringContaining('database is not open')])
    expect(shop.prepare('select key from paid').all()).toMatchObject([{ key: 'order-a:1' }])
    shop.close()
    await journal.close()
  })
})

test('Handlers of several orders run side by side, those of one order one after the other', async () => {
  const store = memoryJournalStore()
  for (const order of ['a', 'b']) {
    const intent = intentWith({ intentId: order, businessKey: order, clientOrderId: order })
    await store.insert(intent)
    const outcomes = [outcomeWith({ clientOrderId: order }), outcomeWith({ clientOrderId: order, kind: 'notice' })]
    await store.update({ intent: { ...intent, version: 2 }, outcomes })
  }
  const running: string[] = []
  const log: string[] = []
  const { journal } = started(store, async ({ outcome }) => {
    running.push(outcome.key)
    log.push(running.toSorted().join(' '))
    await new Promise(setImmediate)
    running.splice(running.indexOf(outcome.key), 1)
  })
  await clock.goOn(1000)
  expect(log).toHaveLength(4)
  expect(log).toContain('a:1 b:1')
  expect(log.filter((line) => /a:1.*a:2|b:1.*b:2/.test(line))).toEqual([])
  await journal.close()
})

test('onOrphan that never ends is given up, and called again by the schedule', async () => {
  const store = memoryJournalStore()
  const told: string[] = []
  const events: string[] = []
  const journal = createJournal({
    client: decidingClient(() => ({ ...approved(), 'merchant-order-id': 'rec-1' })),
    store,
    clock,
    onOrphan: ({ key }) => {
      told.push(key)
      return told.length === 1 ? never() : undefined
    },
    onOrphanNotice: 'ignore',
    onEvent: (event) => void events.push(event.type),
  })
  await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
  journal.start()
  await clock.goOn(60_000)
  expect([events, told.length, new Set(told).size]).toEqual([['ORPHAN_FAILED'], 2, 1])
  await journal.close()
})

test('[F-A12] onOrphan gets the payment of an order, onOrphanNotice each change after it, under another key even if the order looks as before', async () => {
  let shown = {}
  const told: string[] = []
  const keys: string[] = []
  const journal = createJournal({
    client: decidingClient(() => ({
      ...approved(),
      'merchant-order-id': 'rec-1',
      'transaction-type': 'sale',
      ...shown,
    })),
    store: memoryJournalStore(),
    clock,
    onOrphan: ({ key, reply }) => {
      told.push(`paid ${reply.amount}`)
      keys.push(key)
    },
    onOrphanNotice: ({ key, change, reply }) => {
      told.push(`${change?.transactionType} ${reply.amount}`)
      keys.push(key)
    },
    onEvent: () => {},
  })
  journal.start()
  const tell = async (fields: object) => {
    shown = fields
    await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
    await clock.goOn(5000)
  }
  await tell({})
  await tell({ 'transaction-type': 'chargeback', amount: '0.00' })
  // The money was won back.
  await tell({})
  expect(told).toEqual(['paid 10.42', 'chargeback 0.00', 'undefined 10.42'])
  expect(new Set(keys).size).toBe(3)
  await journal.close()
})

test('[F-A12] a chargeback is no payment of an order without an intent, though it is the first that is seen of it and its status is approved', async () => {
  const told: string[] = []
  const events: JournalEvent[] = []
  const parts = {
    client: decidingClient(() => ({
      ...approved(),
      'merchant-order-id': 'rec-1',
      'transaction-type': 'chargeback',
      amount: '0.00',
    })),
    store: memoryJournalStore(),
    clock,
    onOrphan: () => void told.push('paid'),
    onEvent: (event: JournalEvent) => void events.push(event),
  }
  // As a program without types may have it.
  const forgetful = createJournal(parts as unknown as Parameters<typeof createJournal<undefined>>[0])
  await forgetful.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
  await clock.goOn(2000)
  await forgetful.reconcile()
  expect(told).toEqual([])
  expect(events).toMatchObject([{ type: 'ORPHAN_FAILED', error: { code: 'NOTICE_UNHEARD' } }])
  expect(String(events.map((event) => 'error' in event && event.error))).toContain(
    'order rec-1 was changed after its outcome (chargeback), and nobody takes notices: give onOrphanNotice beside onOrphan',
  )
  await clock.goOn(60_000)
  const onOrphanNotice = ({ change }: OrphanNotice) => void told.push(`${change?.transactionType}`)
  await createJournal({ ...parts, onOrphanNotice }).reconcile()
  expect(told).toEqual(['chargeback'])
})

test('Notices of orders without an intent are dropped if that is what was asked for, and never counted as open', async () => {
  const events: JournalEvent[] = []
  const journal = createJournal({
    client: decidingClient(() => ({ ...approved(), 'merchant-order-id': 'rec-1', 'transaction-type': 'reversal' })),
    store: memoryJournalStore(),
    clock,
    onOrphan: () => {
      throw new Error('a reversal is no payment')
    },
    onOrphanNotice: 'ignore',
    onEvent: (event) => void events.push(event),
  })
  await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
  await clock.goOn(2000)
  expect(await journal.reconcile()).toMatchObject({ orphans: 1 })
  expect([events, (await journal.report()).orphans]).toEqual([[], []])
})

test('onOrphan that ends while its lease is being renewed is called once', async () => {
  const store = memoryJournalStore()
  const [renewed, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const renewOrphan: typeof store.renewOrphan = async (...renewal) => {
    const isRenewed = await store.renewOrphan(...renewal)
    await renewed.promise
    return isRenewed
  }
  const told: string[] = []
  const journal = createJournal({
    client: decidingClient(() => ({ ...approved(), 'merchant-order-id': 'rec-1' })),
    store: { ...store, renewOrphan },
    clock,
    onOrphan: ({ key }) => {
      told.push(key)
      return end.promise
    },
    onOrphanNotice: 'ignore',
  })
  await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
  journal.start()
  await clock.goOn(6000)
  end.resolve()
  await clock.goOn(1)
  renewed.resolve()
  await clock.goOn(60_000)
  expect(told).toHaveLength(1)
  await journal.close()
})

test('[F-A12] what is neither an outcome nor a notice is not booked, nor dropped: it waits', async () => {
  const store = memoryJournalStore()
  await store.insert(intentWith())
  // As a later version may write it, whose processes run beside this one.
  const later = { ...outcomeWith(), kind: 'dispute' } as unknown as ReturnType<typeof outcomeWith>
  await store.update({ intent: { ...intentWith(), version: 2 }, outcomes: [later] })
  const told: string[] = []
  const events: JournalEvent[] = []
  const journal = createJournal({
    client: decidingClient(approved),
    store,
    clock,
    handler: () => void told.push('paid'),
    onNotice: 'ignore',
    onEvent: (event) => void events.push(event),
  })
  await journal.reconcile()
  expect([told, await store.countOpenOutcomes()]).toEqual([[], 1])
  expect(events).toMatchObject([{ type: 'HANDLER_FAILED' }])
  expect(String(events.map((event) => 'error' in event && event.error))).toContain(
    'order-a:1 is neither an outcome nor a notice but "dispute"',
  )
})

describe('A notice', () => {
  /** A payment that was approved, and charged back: both have the status `approved`. */
  async function chargedBack() {
    const store = memoryJournalStore()
    await store.insert(intentWith())
    const outcomes = [outcomeWith(), outcomeWith({ kind: 'notice', transactionType: 'chargeback' }), outcomeWith()]
    await store.update({ intent: { ...intentWith(), version: 2 }, outcomes })
    return { client: decidingClient(approved), store, clock }
  }

  test('[F-A12] goes to onNotice once and in order, never to the handler', async () => {
    const told: string[] = []
    const journal = createJournal({
      ...(await chargedBack()),
      handler: ({ outcome }) => void told.push(`paid ${outcome.key}`),
      onNotice: ({ notice }) => void told.push(`noticed ${notice.key}`),
    })
    await journal.reconcile()
    await journal.reconcile()
    expect(told).toEqual(['paid order-a:1', 'noticed order-a:2', 'paid order-a:3'])
  })

  test('that nobody takes is reported and waits, until somebody does', async () => {
    const parts = await chargedBack()
    const told: string[] = []
    const events: JournalEvent[] = []
    const handler = () => void told.push('paid')
    const options = { ...parts, handler, onEvent: (event: JournalEvent) => void events.push(event) }
    // @ts-expect-error: as a program without types may have it
    const forgetful = createJournal(options)
    await forgetful.reconcile()
    expect(told).toEqual(['paid'])
    expect(events).toMatchObject([{ type: 'HANDLER_FAILED', error: { code: 'NOTICE_UNHEARD' } }])
    await clock.goOn(5000)
    const journal = createJournal({ ...parts, handler, onNotice: () => void told.push('noticed') })
    await journal.reconcile()
    expect(told).toEqual(['paid', 'noticed', 'paid'])
  })
})
