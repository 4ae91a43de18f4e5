import type { Exchange } from '@tallystick/client'
import type { IntentChange } from '@tallystick/client/ports'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { warnOf } from '../src/events.ts'
import { createJournal, type JournalEvent, memoryJournalStore, sqliteJournalStore } from '../src/index.ts'
import { decidingClient } from './deciding-client.ts'
import { handClock } from './hand-clock.ts'
import { intentWith, outcomeWith } from './intents.ts'
import { ownFolder } from './own-folder.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const inFolder = ownFolder()

describe('A journal without a handler', () => {
  test('leaves the outcomes to one that has a handler', async () => {
    const store = memoryJournalStore()
    await store.insert(intentWith())
    await store.update({ intent: { ...intentWith(), version: 2 }, outcomes: [outcomeWith()] })
    const told: string[] = []
    const parts = { client: decidingClient(), store, clock: handClock() }
    const web = createJournal(parts)
    expect([(await web.reconcile()).delivered, (await web.report()).openOutcomes]).toEqual([0, 1])
    const worker = createJournal({
      ...parts,
      handler: ({ outcome }) => void told.push(outcome.key),
      onNotice: 'ignore',
    })
    expect([(await worker.reconcile()).delivered, told]).toEqual([1, ['order-a:1']])
  })
})

test('Without a listener, what an operator has to see to is a warning of the process', async () => {
  const store = memoryJournalStore()
  await store.insert(intentWith())
  await store.update({ intent: { ...intentWith(), version: 2 }, outcomes: [outcomeWith()] })
  const warned: unknown[] = []
  const hear = ({ name, message }: Error) => void warned.push([name, message])
  process.on('warning', hear)
  const failing = () => Promise.reject(new Error('no such table: paid'))
  const parts = { client: decidingClient(), store, clock: handClock() }
  await createJournal({ ...parts, handler: failing, onNotice: 'ignore' }).reconcile()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', hear)
  expect(warned).toEqual([
    ['JournalWarning', 'the handler of order-a:1 failed and is called again: Error: no such table: paid'],
  ])
})

test('A warning names what an operator has to look at', () => {
  const intent = intentWith({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' })
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  warnOf({ type: 'REVIEW', intent })
  warnOf({ type: 'DOUBLE_CHARGE_SUSPECTED', intents: [intentWith({ orderId: '8' }), intentWith({ orderId: '9' })] })
  warnOf({ type: 'TAKEN_OVER', intents: [intentWith(), intentWith({ clientOrderId: 'order-b' })] })
  warnOf({ type: 'PREPARED_WAITS', intent: intentWith() })
  const [first, second] = warn.mock.calls
  expect(first?.[1]).toMatchObject({
    detail: 'https://tallystick.github.io/tallystick/errors/journal.html#amount_differs',
  })
  expect(second?.[1]).toMatchObject({
    detail: 'https://tallystick.github.io/tallystick/errors/journal.html#double_charge_suspected',
  })
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    "invoice 77, attempt 1: sale order-a, order not known: needs a decision, AMOUNT_DIFFERS; look at the gateway, then tallystick-journal settle intent-1, or journal.resolveReview('intent-1', ...)",
    'invoice 77 may have been charged twice, by the orders 8 and 9: refund one',
    'invoice 77 was sent before, which the store did not know (found at the gateway: order-a and order-b): find out what became of its tables',
    'invoice 77, attempt 1: sale order-a, order not known: prepared, and its caller did not come: call journal.pay with the same key and input',
  ])
})

test('A start reports again what needs an operator, and counts nothing: that would read all rows', async () => {
  const read: string[] = []
  const memory = memoryJournalStore()
  const counts = async () => {
    read.push('counts')
    return await memory.counts()
  }
  const store = { ...memory, counts }
  const paid = intentWith({ state: 'FINAL', status: 'approved', holdsKey: false })
  await store.insert(intentWith({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' }))
  await store.insert({ ...paid, intentId: '2', businessKey: 'b', clientOrderId: 'order-b' })
  await store.insert({ ...paid, intentId: '3', businessKey: 'b', attempt: 2, clientOrderId: 'order-c' })
  const events: string[] = []
  const onEvent = ({ type }: JournalEvent) => void events.push(type)
  const journal = createJournal({ client: decidingClient(), store, clock: handClock(), onEvent })
  journal.start()
  await expect.poll(() => events).toEqual(['REVIEW', 'DOUBLE_CHARGE_SUSPECTED'])
  expect(read).toEqual([])
  await journal.close()
})

describe('A payment', () => {
  test('that another process has written a moment before is sent by one of the two, and not reported as never sent', async () => {
    const memory = memoryJournalStore()
    const reads = [async () => [], memory.attemptsOf]
    const store = { ...memory, attemptsOf: (key: string) => (reads.shift() ?? memory.attemptsOf)(key) }
    const answer: Answer = async () => replied({ type: 'async-response', 'paynet-order-id': '9' })
    const { journal } = shopProcess({ store, clock: handClock(), answer })
    const key = { profile: 'subscription 12', period: '2026-11' }
    await journal.prepare(key, 'makeRebill', rebill, undefined)
    expect(await journal.pay(key, 'makeRebill', rebill)).toMatchObject({ outcome: 'accepted', intent: { attempt: 1 } })
  })

  test('is sent as it was asked for, whatever the caller changes in the input meanwhile', async () => {
    const sent: unknown[] = []
    const { journal } = shopProcess({
      store: memoryJournalStore(),
      clock: handClock(),
      answer: async (_operation, { body }) => {
        sent.push(new URLSearchParams(body).get('amount'))
        return replied({ type: 'async-response', 'paynet-order-id': '9' })
      },
    })
    const input = { ...rebill, amount: '' }
    const paying = ['10.00', '20.00', '30.00'].map((amount) => {
      input.amount = amount
      return journal.pay({ profile: amount, period: '2026-11' }, 'makeRebill', input)
    })
    const paid = await Promise.all(paying)
    expect(paid.map(({ intent }) => intent.amounts)).toEqual([['1000'], ['2000'], ['3000']])
    expect(sent).toEqual(['10.00', '20.00', '30.00'])
  })
})

describe('An order that no intent has', () => {
  test.each([
    ['memory', memoryJournalStore],
    ['SQLite', () => sqliteJournalStore({ file: inFolder('shop.db') })],
  ])('is reported under another key after each change, even if it looks as it did before (%s)', async (_kind, open) => {
    let now: Readonly<Record<string, string>> = {}
    const clock = handClock()
    const told: string[] = []
    const journal = createJournal<unknown>({
      client: decidingClient(() => now),
      store: open(),
      clock,
      onOrphan: ({ key }) => void told.push(key),
      onOrphanNotice: ({ key }) => void told.push(key),
    })
    for (const [type, amount] of [
      ['sale', '10.00'],
      ['sale', '10.00'],
      ['chargeback', '0.00'],
      ['sale', '10.00'],
    ] as const) {
      now = {
        status: 'approved',
        'paynet-order-id': '9',
        'merchant-order-id': 'rec-1',
        'transaction-type': type,
        amount,
        currency: 'EUR',
      }
      await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
      await clock.goOn(60_000)
      await journal.reconcile()
      // Months later another order is settled, and the old one is forgotten.
      await clock.goOn(100 * 86_400_000)
      await journal.inbox.receive({ clientOrderId: 'rec-2', orderId: '10', status: 'approved' })
      await clock.goOn(60_000)
      await journal.reconcile()
    }
    expect(told).toHaveLength(3)
    expect(new Set(told).size).toBe(3)
    await journal.close()
  })

  test('is reported under the same key when it is reported again', async () => {
    const clock = handClock()
    const told: string[] = []
    const journal = createJournal({
      client: decidingClient(() => ({ status: 'approved', 'paynet-order-id': '9', 'merchant-order-id': 'rec-1' })),
      store: memoryJournalStore(),
      clock,
      onOrphan: ({ key }) => {
        told.push(key)
        if (told.length === 1) throw new Error('no disk')
      },
      onOrphanNotice: 'ignore',
    })
    await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
    for (const _try of [1, 2]) {
      await clock.goOn(60_000)
      await journal.reconcile()
    }
    expect(told).toHaveLength(2)
    expect(new Set(told).size).toBe(1)
  })

  test.each([
    ['approved', ['DOUBLE_CHARGE_SUSPECTED']],
    ['declined', []],
    ['error', []],
  ])(
    'and that is the second order of a paid intent is reported, and suspected as a double charge if it charged as well: %s',
    async (status, heard) => {
      const clock = handClock()
      const [told, events]: [string[], string[]] = [[], []]
      const store = memoryJournalStore()
      await store.insert(intentWith({ state: 'FINAL', status: 'approved', orderId: '8' }))
      const second = { 'paynet-order-id': '9', 'merchant-order-id': 'order-a', 'transaction-type': 'sale' }
      const journal = createJournal({
        client: decidingClient(() => ({ ...second, status, amount: '10.42' })),
        store,
        clock,
        onOrphan: (outcome) => void told.push(outcome.status),
        onOrphanNotice: 'ignore',
        onEvent: ({ type }) => void events.push(type),
      })
      await journal.inbox.receive({ clientOrderId: 'order-a', orderId: '9', status })
      await clock.goOn(60_000)
      await journal.reconcile()
      expect([told, events]).toEqual([[status], heard])
    },
  )
})

test('A journal that was closed begins nothing more, and says so', async () => {
  const store = memoryJournalStore()
  const journal = createJournal({ client: decidingClient(), store, clock: handClock() })
  const closing = journal.close()
  const closed = 'The journal was closed. Close it last, after the server and all jobs; to go on, make a new one'
  await expect(journal.pay('invoice 77', 'sale', rebill as never)).rejects.toThrow(closed)
  await expect(journal.prepare('invoice 77', 'sale', rebill as never, undefined)).rejects.toThrow(closed)
  expect(() => journal.start()).toThrow(closed)
  await closing
  expect(await store.counts()).toEqual({})
})

describe('The journal is closed when what is under way has ended:', () => {
  const KEY = { profile: 'subscription 12', period: '2026-11' }
  const accepting: Answer = async (operation, request) =>
    operation === 'status'
      ? statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
      : replied({ type: 'async-response', 'paynet-order-id': '9' })

  /** A store that says when it is closed, and does nothing from then on. */
  function closing(log: string[]) {
    const store = memoryJournalStore()
    const isClosed = () => log.includes('store closed')
    return {
      ...store,
      update: async (...changes: readonly IntentChange[]) => {
        if (isClosed()) throw new Error('database is not open')
        return await store.update(...changes)
      },
      close: async () => void log.push('store closed'),
    }
  }

  test('a handler that is running', async () => {
    const clock = handClock()
    const end = Promise.withResolvers<void>()
    const log: string[] = []
    const handler = async () => {
      await end.promise
      log.push('told')
    }
    const { journal } = shopProcess({ store: closing(log), clock, answer: accepting, handler })
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(5000)
    const closed = journal.close()
    await clock.goOn(0)
    expect(log).toEqual([])
    end.resolve()
    await closed
    expect(log).toEqual(['told', 'store closed'])
  })

  test('a payment that is being sent, whose reply is written', async () => {
    const clock = handClock()
    const reply = Promise.withResolvers<Exchange>()
    const log: string[] = []
    const { journal } = shopProcess({ store: closing(log), clock, answer: () => reply.promise })
    const paying = journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(0)
    const closed = journal.close()
    await clock.goOn(0)
    expect(log).toEqual([])
    reply.resolve(replied({ type: 'async-response', 'paynet-order-id': '9' }))
    expect(await paying).toMatchObject({ outcome: 'accepted', intent: { state: 'ACCEPTED', orderId: '9' } })
    await closed
    expect(log).toEqual(['store closed'])
  })
})

test('A journal that cannot listen at its start does so as soon as it can, until it is closed', async () => {
  const clock = handClock(0)
  const listened: number[] = []
  const told: string[] = []
  let isAway = true
  const wakeups = {
    wake: async () => {},
    listen: async () => {
      listened.push(clock.now())
      if (isAway) throw new Error('the database is away')
    },
    close: async () => {},
  }
  const open = () =>
    createJournal({
      client: decidingClient(),
      store: memoryJournalStore(),
      wakeups,
      clock,
      onEvent: ({ type }) => void told.push(type),
    })
  const journal = open()
  journal.start()
  await clock.goOn(7000)
  isAway = false
  await clock.goOn(60_000)
  expect([listened, told]).toEqual([
    [0, 5000, 10_000],
    ['WAKEUP_FAILED', 'WAKEUP_FAILED'],
  ])
  await journal.close()
  isAway = true
  const another = open()
  another.start()
  await another.close()
  await clock.goOn(60_000)
  expect(listened).toHaveLength(4)
  expect(clock.timers()).toBe(0)
})

test('Wake-ups cannot keep the store from being closed', async () => {
  let isClosed = false
  const close = async () => {
    isClosed = true
  }
  const store = { ...memoryJournalStore(), close }
  const wakeups = {
    wake: async () => {},
    listen: async () => {},
    close: async () => {
      throw new Error('the database is away')
    },
  }
  await expect(createJournal({ client: decidingClient(), store, wakeups }).close()).rejects.toThrow('away')
  expect(isClosed).toBe(true)
})
