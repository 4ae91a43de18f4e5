import type { Exchange } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore, sqliteJournalStore } from '../src/index.ts'
import { type HandClock, handClock } from './hand-clock.ts'
import { ownFolder } from './own-folder.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

/** Nothing is asked of the gateway before the first request: only what follows it is looked at here. */
const newShop: typeof shopProcess = (options) => shopProcess({ isCertain: true, ...options })

const KEY = { profile: 'subscription 12', period: '2026-11' }
const MINUTE = 60_000

/** The charge takes long to arrive; the gateway does not know its order yet. */
const slow: Answer = async (operation) => {
  if (operation !== 'status') return { kind: 'lost', seen: 'there was no reply' }
  return replied({ type: 'validation-error', 'error-message': 'There is no order', 'error-code': '2' })
}

const inFolder = ownFolder()
const STORES = [
  ['memory', memoryJournalStore],
  ['a SQLite file', () => sqliteJournalStore({ file: inFolder('shop.db') })],
] as const

/** A clock that can be set, and the true time behind it. */
function clockThatIsSet(aheadMs = 0) {
  const time = handClock()
  let ahead = aheadMs
  const clock: HandClock = { ...time, now: () => time.now() + ahead }
  return {
    time,
    clock,
    setForward: (milliseconds: number) => {
      ahead += milliseconds
    },
    setBack: (milliseconds: number) => {
      ahead -= milliseconds
    },
  }
}

/** A journal on a machine whose clock can be set, and what the true time is. */
function machine({ othersAheadMs = 0 } = {}) {
  const { time, clock, setForward } = clockThatIsSet()
  const store = memoryJournalStore()
  const { journal } = newShop({ store, clock, answer: slow, handler: () => {} })
  return {
    journal,
    setForward,
    /** Meanwhile other payments of the shop go well, on a machine whose clock may be ahead. */
    goOn: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += MINUTE / 2) {
        await store.noteAnswer({ endpointId: '253' }, clock.now() + othersAheadMs)
        await time.goOn(Math.min(MINUTE / 2, milliseconds - passed))
      }
    },
  }
}

test.each([15, 17, 60, 24 * 60])(
  'a clock that is set forward by %i minutes does not make a payment absent',
  async (minutes) => {
    const { journal, setForward, goOn } = machine()
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    await goOn(12_000)
    setForward(minutes * MINUTE)
    await goOn(14 * MINUTE)
    expect(await journal.attempts(KEY)).toMatchObject([{ state: 'UNKNOWN' }])
    await journal.close()
  },
)

test('a clock that is set back does not hold up the outcome of a payment when its callback comes', async () => {
  const { time, clock, setBack } = clockThatIsSet(60 * MINUTE)
  let status = 'processing'
  const { journal } = newShop({
    store: memoryJournalStore(),
    clock,
    answer: async (operation, request) =>
      operation === 'status'
        ? statusReply(request, { status, amount: '10.42', currency: 'USD' })
        : replied({ type: 'async-response', 'paynet-order-id': '9' }),
    handler: () => {},
  })
  journal.start()
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  await time.goOn(12_000)
  setBack(60 * MINUTE)
  status = 'approved'
  await journal.inbox.receive({ clientOrderId: intent.clientOrderId, orderId: '9', status, type: 'sale' })
  await time.goOn(12_000)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'FINAL', status: 'approved' }])
  expect(await journal.browserReturn(intent.clientOrderId)).toMatchObject({ shown: 'approved' })
  await journal.close()
})

test('nor does it keep a payment that never arrived from being presumed absent in the end', async () => {
  const { journal, setForward, goOn } = machine()
  journal.start()
  await journal.pay(KEY, 'makeRebill', rebill)
  await goOn(12_000)
  setForward(17 * MINUTE)
  await goOn(30 * MINUTE)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'PRESUMED_ABSENT' }])
  await journal.close()
})

test('nor do answers noted by another machine whose clock is two seconds ahead', async () => {
  const { journal, goOn } = machine({ othersAheadMs: 2000 })
  journal.start()
  await journal.pay(KEY, 'makeRebill', rebill)
  await goOn(30 * MINUTE)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'PRESUMED_ABSENT' }])
  await journal.close()
})

describe.each(STORES)('After the clock was set back, in %s,', (_where, open) => {
  test.each([0, 60])(
    'an answer noted while it was %i minutes ahead proves no absence, neither now nor once its time has come',
    async (minutes) => {
      const { time, clock, setBack } = clockThatIsSet(minutes * MINUTE)
      let knowsOrders = true
      const { journal } = newShop({
        store: open(),
        clock,
        answer: async (operation, request) => {
          if (operation === 'status' && knowsOrders)
            return statusReply(request, { status: 'approved', amount: '10.42' })
          return await slow(operation, request)
        },
      })
      journal.start()
      await journal.pay(KEY, 'makeRebill', rebill)
      await time.goOn(20_000)
      expect(await journal.attempts(KEY)).toMatchObject([{ state: 'FINAL' }])
      setBack(minutes * MINUTE)
      knowsOrders = false
      const lost = { ...KEY, period: '2026-12' }
      await journal.pay(lost, 'makeRebill', rebill)
      await time.goOn(120 * MINUTE)
      expect(await journal.attempts(lost)).toMatchObject([{ state: 'UNKNOWN' }])
      await journal.close()
    },
  )

  test.each([1, 24])(
    'by %i hours, a payment is checked and reported at once, even if no callback comes',
    async (hours) => {
      const { time, clock, setBack } = clockThatIsSet()
      let status = 'processing'
      const told: string[] = []
      const { journal } = newShop({
        store: open(),
        clock,
        answer: async (_operation, request) => statusReply(request, { status, amount: '10.42' }),
        handler: ({ outcome }) => void told.push(outcome.key),
      })
      journal.start()
      const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
      await time.goOn(12_000)
      setBack(hours * 60 * MINUTE)
      status = 'approved'
      await time.goOn(5000)
      expect(told).toEqual([`${intent.clientOrderId}:1`])
      await journal.close()
    },
  )

  test('a payment that stays open is checked by the schedule from its beginning, and no more often', async () => {
    const { time, clock, setBack } = clockThatIsSet()
    let asked = 0
    const { journal } = newShop({
      store: open(),
      clock,
      answer: async (_operation, request) => {
        asked++
        return statusReply(request, { status: 'processing' })
      },
    })
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    await time.goOn(30 * MINUTE)
    setBack(24 * 60 * MINUTE)
    asked = 0
    await time.goOn(60 * MINUTE)
    // At once, after 2, 5 and 10 s, every 5 s for 5 minutes, every 5 minutes for the rest of the hour.
    expect(asked).toBeGreaterThan(65)
    expect(asked).toBeLessThan(80)
    await journal.close()
  })

  test('nor is one checked more often that has ended, whose callback named a change while the clock was ahead', async () => {
    const { time, clock, setBack } = clockThatIsSet(60 * MINUTE)
    let [asked, clientOrderId, change] = [0, '', {}]
    const { journal } = newShop({
      store: open(),
      clock,
      handler: () => {},
      answer: async (operation, request) => {
        clientOrderId = new URLSearchParams(request.body).get('client_orderid') ?? ''
        if (operation !== 'status') return replied({ type: 'async-response', 'paynet-order-id': '9' })
        asked++
        return statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD', ...change })
      },
    })
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    await time.goOn(MINUTE)
    change = { status: 'processing', 'transaction-type': 'reversal' }
    await journal.inbox.receive({ clientOrderId, orderId: '9', status: 'processing' })
    await time.goOn(MINUTE)
    setBack(60 * MINUTE)
    asked = 0
    await time.goOn(50 * MINUTE)
    expect(asked).toBeGreaterThan(60)
    expect(asked).toBeLessThan(80)
    await journal.close()
  })

  test.each([
    ['while another one runs', true],
    ['before another one is started', false],
  ])('%s, what a dead process was sending is checked within ten seconds', async (_what, runsBefore) => {
    const { time, clock, setBack } = clockThatIsSet()
    const store = open()
    const dying = newShop({ store, clock, answer: () => new Promise(() => {}) })
    const { journal } = newShop({
      store,
      clock,
      answer: async (_operation, request) => statusReply(request, { status: 'approved', amount: '10.42' }),
      handler: () => {},
    })
    if (runsBefore) journal.start()
    void dying.journal.pay(KEY, 'makeRebill', rebill)
    await time.goOn(3000)
    dying.die()
    setBack(60 * MINUTE)
    journal.start()
    await time.goOn(10_000)
    expect(await journal.attempts(KEY)).toMatchObject([{ state: 'FINAL', status: 'approved', sends: 1 }])
    await journal.close()
  })

  test('what a living process is sending is left to it', async () => {
    const { time, clock, setBack } = clockThatIsSet()
    const store = open()
    const answered = Promise.withResolvers<Exchange>()
    const sending = newShop({ store, clock, answer: () => answered.promise })
    const asked: string[] = []
    const { journal } = newShop({
      store,
      clock,
      answer: async (operation, request) => {
        asked.push(operation)
        return await slow(operation, request)
      },
    })
    journal.start()
    const paying = sending.journal.pay(KEY, 'makeRebill', rebill)
    await time.goOn(3000)
    setBack(60 * MINUTE)
    await time.goOn(50_000)
    expect([(await journal.attempts(KEY))[0]?.state, asked]).toEqual(['SENDING', []])
    answered.resolve(replied({ type: 'async-response', 'paynet-order-id': '9' }))
    await time.goOn(1)
    expect(await paying).toMatchObject({ outcome: 'accepted' })
    await journal.close()
  })

  test('a handler that has failed is called again as soon as it would have been', async () => {
    const { time, clock, setBack } = clockThatIsSet()
    let calls = 0
    const { journal } = newShop({
      store: open(),
      clock,
      answer: async (_operation, request) => statusReply(request, { status: 'approved', amount: '10.42' }),
      handler: () => {
        if (++calls === 1) throw new Error('the database is away')
      },
    })
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    while (calls === 0) await time.goOn(100)
    setBack(60 * MINUTE)
    await time.goOn(2000)
    expect(calls).toBe(2)
    await journal.close()
  })

  test('an order that no intent has is checked and reported', async () => {
    const { time, clock, setBack } = clockThatIsSet()
    let status = 'processing'
    const told: string[] = []
    const { journal } = newShop({
      store: open(),
      clock,
      answer: async (_operation, request) => statusReply(request, { status, amount: '10.42', currency: 'USD' }),
      onOrphan: ({ orderId }) => void told.push(orderId),
    })
    journal.start()
    await journal.inbox.receive({ clientOrderId: 'elsewhere', orderId: '9', status: 'processing' })
    await time.goOn(12_000)
    setBack(60 * MINUTE)
    status = 'approved'
    await time.goOn(5000)
    expect(told).toEqual(['9'])
    await journal.close()
  })
})

test('If the clock is set back while a payment is marked as being sent, the mark is written again before it is sent', async () => {
  const { time, clock, setBack } = clockThatIsSet()
  const store = memoryJournalStore()
  const writtenAt: (number | undefined)[] = []
  const update: typeof store.update = async (...changes) => {
    const isWritten = await store.update(...changes)
    const sending = changes.find(({ intent }) => intent.state === 'SENDING')?.intent
    if (sending !== undefined && writtenAt.push(sending.sentAt) === 1) setBack(60 * MINUTE)
    return isWritten
  }
  const { journal } = newShop({
    store: { ...store, update },
    clock,
    answer: async () => replied({ type: 'async-response', 'paynet-order-id': '9' }),
  })
  const { outcome, intent } = await journal.pay(KEY, 'makeRebill', rebill)
  expect([outcome, intent.sends, writtenAt]).toEqual(['accepted', 1, [time.now(), time.now() - 60 * MINUTE]])
})

test.for([
  ['an hour', 60 * MINUTE],
  ['ten years', 87_660 * 60 * MINUTE],
] as const)(
  '[F-A13] A clock that is %s ahead for a while is reported, and no payment is given up as too old',
  async ([, wrong]) => {
    const { time, clock, setForward, setBack } = clockThatIsSet()
    let status = 'processing'
    const events: JournalEvent[] = []
    const outcomes: (string | undefined)[] = []
    const { journal } = newShop({
      store: memoryJournalStore(),
      clock,
      answer: async (operation, request) =>
        operation === 'status'
          ? statusReply(request, { status, amount: '10.42' })
          : replied({ type: 'async-response', 'paynet-order-id': '9' }),
      onEvent: (event) => void events.push(event),
      handler: ({ outcome }) => void outcomes.push(outcome.status),
    })
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    for (let round = 0; round < 3; round++) {
      await time.goOn(5 * MINUTE)
      setForward(wrong)
      await time.goOn(5 * MINUTE)
      setBack(wrong)
    }
    status = 'approved'
    await time.goOn(5 * MINUTE)
    expect(outcomes).toEqual(['approved'])
    const jump = [wrong, -wrong].map((byMs) => ({ type: 'CLOCK_SET', byMs: expect.closeTo(byMs, -4) }))
    expect(events).toEqual([...jump, ...jump, ...jump])
    await journal.close()
  },
)
