import type { Exchange } from '@tallystick/client'
import type { IntentRenewal } from '@tallystick/client/internal'
import type { Intent, JournalStore } from '@tallystick/client/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryJournalStore, sqliteJournalStore } from '../src/index.ts'
import { keyText } from '../src/intents/business-key.ts'
import { moved } from '../src/intents/states.ts'
import { type HandClock, handClock } from './hand-clock.ts'
import { intentWith } from './intents.ts'
import { ownFolder } from './own-folder.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

/** Others take up the work of a dead process within this time (README: 8 s of its lease, 1 s until their next look, 1 s). */
const TAKEN_UP_WITHIN_MS = 10_000
const KEY = { profile: 'subscription 12', period: '2026-11' }

const inFolder = ownFolder()
let clock: HandClock
const closing: (() => Promise<void>)[] = []
beforeEach(() => {
  clock = handClock()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const inMemory = () => {
  const shared = memoryJournalStore()
  return (): JournalStore<unknown> => shared as JournalStore<unknown>
}
const inFile = () => () => {
  const store = sqliteJournalStore({ file: inFolder('shop.db') })
  closing.push(() => store.close())
  return store as JournalStore<unknown>
}

/** Its store is certain to be as old as its payments: nothing is asked of the gateway before the first request. */
const newShop: typeof shopProcess = (options) => shopProcess({ isCertain: true, ...options })

const approving: Answer = async (_operation, request) => statusReply(request, { status: 'approved', amount: '10.42' })
const never = () => new Promise<Exchange>(() => {})

/** When the condition first holds, in milliseconds from now; it is checked every half second. */
async function timeUntil(isSo: () => Promise<boolean>): Promise<number> {
  for (let passed = 0; passed <= 60_000; passed += 500) {
    if (await isSo()) return passed
    await clock.goOn(500)
  }
  return Number.POSITIVE_INFINITY
}

/** A store where every second renewal of leases fails. */
function missingRenewals<Transaction>(store: JournalStore<Transaction>): JournalStore<Transaction> {
  let renewals = 0
  const renewLeases = async (renewal: IntentRenewal) => {
    if (renewals++ % 2 === 0) throw new Error('no disk')
    await store.renewLeases(renewal)
  }
  return { ...store, renewLeases }
}

const due = () => intentWith({ state: 'UNKNOWN', sentAt: clock.now(), nextCheckAt: clock.now() })

describe.each([
  ['memory', inMemory],
  ['a SQLite file', inFile],
])('The work of a process in %s', (_kind, stores) => {
  test('when it died during a status check, another one checks within 12 seconds', async () => {
    const open = stores()
    const store = open()
    await store.insert(due())
    const first = newShop({ store, clock, answer: never })
    first.journal.start()
    // Long enough for renewals; the worst moment to die is just after one.
    await clock.goOn(30_000)
    first.die()
    const second = newShop({ store: open(), clock, answer: approving, handler: () => {} })
    second.journal.start()
    const isFinal = async () => (await store.find('intent-1'))?.state === 'FINAL'
    expect(await timeUntil(isFinal)).toBeLessThanOrEqual(TAKEN_UP_WITHIN_MS)
    await second.journal.close()
  })

  test('when it died while it was sending, another one checks the status within 12 seconds, and sends nothing', async () => {
    const open = stores()
    const store = open()
    const sent: string[] = []
    const first = newShop({
      store,
      clock,
      answer: (operation) => {
        sent.push(operation)
        return never()
      },
    })
    void first.journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(30_000)
    first.die()
    const second = newShop({
      store: open(),
      clock,
      answer: async (operation, request) => {
        sent.push(operation)
        return await approving(operation, request)
      },
    })
    second.journal.start()
    const intent = async () => (await second.journal.attempts(KEY))[0]
    expect(await timeUntil(async () => (await intent())?.state === 'FINAL')).toBeLessThanOrEqual(TAKEN_UP_WITHIN_MS)
    expect(sent).toEqual(['make-rebill', 'status'])
    expect((await intent())?.evidence.map(({ seen }) => seen)).toContain('the process that was sending it ended')
    await second.journal.close()
  })

  test.each([
    ['', 0],
    [', and the clock of another one is 3 s ahead', 3000],
    [', and the clock of another one is 3 s behind', -3000],
  ])(
    'is left to it while it lives, however long the gateway takes, even if it misses a renewal%s',
    async (_what, aheadMs) => {
      const open = stores()
      const store = missingRenewals(open())
      const answered = Promise.withResolvers<Exchange>()
      const asked: string[] = []
      const first = newShop({
        store,
        clock,
        answer: (operation, request) => (operation === 'status' ? approving(operation, request) : answered.promise),
      })
      const paying = first.journal.pay(KEY, 'makeRebill', rebill)
      const second = newShop({
        store: open(),
        clock,
        aheadMs,
        answer: async (operation, request) => {
          asked.push(operation)
          return await approving(operation, request)
        },
      })
      second.journal.start()
      await clock.goOn(65_000)
      expect([(await second.journal.attempts(KEY))[0]?.state, asked]).toEqual(['SENDING', []])
      answered.resolve(replied({ type: 'async-response', 'paynet-order-id': '9' }))
      await clock.goOn(1)
      expect(await paying).toMatchObject({ outcome: 'accepted', intent: { orderId: '9', leaseOwner: undefined } })
      await second.journal.close()
    },
  )
})

describe('A process whose lease has lapsed', () => {
  /** A process that has written that it is sending, and stands still before it hears that it has. */
  async function stoodStill(store: JournalStore<unknown>, forMs: number, meanwhile = async () => {}) {
    const sent: { readonly operation: string; readonly at: number }[] = []
    const first = newShop({
      store,
      clock,
      answer: async (operation) => {
        sent.push({ operation, at: clock.now() })
        return replied({ type: 'async-response', 'paynet-order-id': '9' })
      },
    })
    first.standStill()
    const paying = first.journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(0)
    for (let step = 0; step < 2; step++) {
      first.goOn()
      first.standStill()
      await clock.goOn(0)
    }
    await clock.goOn(forMs)
    await meanwhile()
    first.goOn()
    await clock.goOn(1)
    return { result: await paying, sent }
  }

  test('marks the payment as being sent again before it sends, if it stood still for half of its lease', async () => {
    const store = memoryJournalStore()
    const written: Pick<Intent, 'sentAt' | 'sends'>[] = []
    const noting: typeof store.update = async (...changes) => {
      written.push(...changes.filter(({ intent }) => intent.state === 'SENDING').map(({ intent }) => intent))
      return await store.update(...changes)
    }
    const began = clock.now()
    const { result, sent } = await stoodStill({ ...store, update: noting } as JournalStore<unknown>, 6000)
    expect([result.outcome, sent]).toEqual(['accepted', [{ operation: 'make-rebill', at: began + 6000 }]])
    expect(written.map(({ sentAt, sends }) => [sentAt, sends])).toEqual([
      [began, 1],
      [began + 6000, 1],
    ])
  })

  test('sends nothing, if another one took the payment over while it stood still', async () => {
    const store = memoryJournalStore() as JournalStore<unknown>
    const second = newShop({ store, clock, answer: never })
    const takeOver = async () => {
      second.journal.start()
      await clock.goOn(100)
    }
    const { result, sent } = await stoodStill(store, 20_000, takeOver)
    expect([result.outcome, sent]).toEqual(['unknown', []])
    second.die()
  })

  test('sends nothing, if the mark is never written in time', async () => {
    const inner = memoryJournalStore()
    const sent: string[] = []
    const update: typeof inner.update = async (...changes) => {
      const isWritten = await inner.update(...changes)
      if (changes.some(({ intent }) => intent.state === 'SENDING')) {
        await new Promise<void>((resolve) => clock.schedule(5001, resolve))
      }
      return isWritten
    }
    const { journal } = newShop({
      store: { ...inner, update },
      clock,
      answer: async (operation) => {
        sent.push(operation)
        return await never()
      },
    })
    const paying = journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(60_000)
    expect(await paying).toMatchObject({ outcome: 'notSent', intent: { state: 'NOT_SENT', sends: 1 } })
    expect(sent).toEqual([])
  })

  test('writes that the gateway accepted the payment, even if it was presumed absent by then', async () => {
    const store = memoryJournalStore()
    const answered = Promise.withResolvers<Exchange>()
    const first = newShop({ store, clock, answer: () => answered.promise })
    const paying = first.journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(0)
    first.standStill()
    await clock.goOn(2_000_000)
    const [sending] = await store.attemptsOf(keyText(KEY))
    const unknown = moved(sending as Intent, 'UNKNOWN')
    await store.update({ intent: unknown, outcomes: [] })
    await store.update({ intent: moved(unknown, 'PRESUMED_ABSENT'), outcomes: [] })
    answered.resolve(replied({ type: 'async-response', 'paynet-order-id': '9' }))
    first.goOn()
    await clock.goOn(1)
    expect(await paying).toMatchObject({ outcome: 'accepted', intent: { state: 'ACCEPTED', orderId: '9' } })
  })

  test('writes nothing of a status check, if another one has checked meanwhile', async () => {
    const store = memoryJournalStore()
    await store.insert(due())
    const late = Promise.withResolvers<Exchange>()
    const first = newShop({ store, clock, answer: () => late.promise })
    const [looking] = [first.journal.reconcile()]
    await clock.goOn(0)
    first.standStill()
    await clock.goOn(20_000)
    const second = newShop({
      store,
      clock,
      answer: async (_operation, request) => statusReply(request, { status: 'declined' }),
    })
    expect(await second.journal.reconcile()).toMatchObject({ checked: 1 })
    const judged = await store.find('intent-1')
    expect(judged).toMatchObject({ state: 'FINAL', status: 'declined' })
    late.resolve(replied({ type: 'status-response', status: 'approved', 'paynet-order-id': '9', amount: '10.42' }))
    first.goOn()
    await clock.goOn(1)
    await looking
    expect(await store.find('intent-1')).toEqual(judged)
  })

  test('writes nothing while another one has the intent, and ends no lease but its own', async () => {
    const store = memoryJournalStore()
    await store.insert(due())
    const [late, other] = [Promise.withResolvers<Exchange>(), Promise.withResolvers<Exchange>()]
    const [first, second] = [late, other].map(({ promise }) => newShop({ store, clock, answer: () => promise }))
    const looking = first?.journal.reconcile()
    await clock.goOn(0)
    first?.standStill()
    await clock.goOn(20_000)
    const lookingToo = second?.journal.reconcile()
    await clock.goOn(0)
    const leased = await store.find('intent-1')
    late.resolve(replied({ type: 'status-response', status: 'approved', 'paynet-order-id': '9', amount: '10.42' }))
    first?.goOn()
    await clock.goOn(1)
    await looking
    expect(await store.find('intent-1')).toEqual(leased)
    const ids = { 'merchant-order-id': 'order-a', 'paynet-order-id': '9' }
    other.resolve(replied({ type: 'status-response', status: 'declined', ...ids }))
    await lookingToo
    expect(await store.find('intent-1')).toMatchObject({ state: 'FINAL', status: 'declined', leaseOwner: undefined })
  })

  test.each([
    ['a refusal is not written: the status decides', { type: 'validation-error', 'error-message': 'no' }, 'UNKNOWN'],
    ['an acceptance is written', { type: 'async-response', 'paynet-order-id': '9' }, 'ACCEPTED'],
  ])('and which was sending: %s', async (_what, reply, state) => {
    const store = memoryJournalStore()
    const late = Promise.withResolvers<Exchange>()
    const first = newShop({ store, clock, answer: () => late.promise })
    const paying = first.journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(0)
    first.standStill()
    await clock.goOn(20_000)
    const second = newShop({ store, clock, answer: never })
    second.journal.start()
    await clock.goOn(100)
    const [taken] = await second.journal.attempts(KEY)
    expect(taken).toMatchObject({ state: 'UNKNOWN', leaseOwner: expect.any(String) })
    late.resolve(replied(reply))
    first.goOn()
    await clock.goOn(1)
    await paying
    const { leaseOwner } = taken ?? {}
    expect((await second.journal.attempts(KEY))[0]).toMatchObject({ state, leaseOwner })
    second.die()
  })
})

describe('A process whose renewals fail', () => {
  const neverRenewed = () => ({ ...memoryJournalStore(), renewLeases: () => Promise.reject(new Error('no disk')) })

  test('does not check again what it is checking', async () => {
    const store = neverRenewed()
    await store.insert(due())
    const asked: string[] = []
    const { journal, die } = newShop({
      store,
      clock,
      answer: (operation) => {
        asked.push(operation)
        return never()
      },
    })
    journal.start()
    await clock.goOn(12_000)
    expect(asked).toEqual(['status'])
    die()
  })

  test('does not take over what it is sending itself', async () => {
    const store = neverRenewed()
    const answered = Promise.withResolvers<Exchange>()
    const asked: string[] = []
    const { journal, die } = newShop({
      store,
      clock,
      answer: (operation) => {
        asked.push(operation)
        return answered.promise
      },
    })
    journal.start()
    const paying = journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(30_000)
    expect((await journal.attempts(KEY))[0]).toMatchObject({ state: 'SENDING', evidence: [] })
    answered.resolve(replied({ type: 'async-response', 'paynet-order-id': '9' }))
    await clock.goOn(1)
    expect([(await paying).outcome, asked]).toEqual(['accepted', ['make-rebill']])
    die()
  })

  test('reports an order that no intent has once, if it still had it when the lease lapsed', async () => {
    const store = { ...memoryJournalStore(), renewOrphan: () => Promise.reject(new Error('no disk')) }
    const told: string[] = []
    const reported = Promise.withResolvers<void>()
    const { journal, die } = newShop({
      store,
      clock,
      answer: approving,
      handlerTimeoutMs: 60_000,
      onOrphan: ({ key }) => {
        told.push(key)
        return reported.promise
      },
    })
    await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
    journal.start()
    await clock.goOn(30_000)
    reported.resolve()
    await clock.goOn(60_000)
    expect(told).toHaveLength(1)
    die()
  })
})

describe('An older answer', () => {
  test.each([
    ['', 0],
    [', which was written by a clock that is behind', -2500],
  ])('is not written over a later one%s', async (_what, aheadMs) => {
    const store = memoryJournalStore()
    const answers = [Promise.withResolvers<Exchange>(), Promise.withResolvers<Exchange>()]
    let asked = 0
    const answer = () => answers[asked++]?.promise ?? never()
    const { journal } = newShop({ store, clock, answer })
    const other = newShop({ store, clock, answer, aheadMs })
    await store.insert({ ...due(), orderId: '9' })
    const ids = { 'merchant-order-id': 'order-a', 'paynet-order-id': '9' }
    const status = (fields: Readonly<Record<string, string>>) =>
      replied({ type: 'status-response', ...ids, 'transaction-type': 'sale', ...fields })
    const older = journal.reconcile()
    await clock.goOn(2000)
    // The check for a customer who comes back. It is answered first.
    const newer = other.journal.browserReturn('order-a')
    await clock.goOn(1)
    const partly = {
      'transaction-type': 'reversal',
      status: 'approved',
      amount: '5.42',
      'initial-amount': '10.42',
      currency: 'USD',
    }
    answers[1]?.resolve(status(partly))
    expect(await newer).toMatchObject({ shown: 'approved' })
    await clock.goOn(1)
    answers[0]?.resolve(status({ status: 'approved', amount: '10.42', 'initial-amount': '10.42', currency: 'USD' }))
    await older
    expect(await store.find('intent-1')).toMatchObject({ state: 'FINAL', observed: { amount: '542' } })
    expect((await store.find('intent-1'))?.leaseOwner).toBeUndefined()
    // The approval, and the refund of a part; the older answer adds none.
    expect(await store.countOpenOutcomes()).toBe(2)
  })
})

describe('A callback that comes during a status check', () => {
  test.each([0, -2500, 2500])('causes another one, even by a clock that is %d ms ahead', async (aheadMs) => {
    const store = memoryJournalStore()
    await store.insert({ ...due(), orderId: '9' })
    const first = Promise.withResolvers<Exchange>()
    const approved = { type: 'status-response', 'paynet-order-id': '9', status: 'approved', amount: '10.42' }
    let asked = 0
    const answer = () => (asked++ === 0 ? first.promise : Promise.resolve(replied(approved)))
    const { journal, die } = newShop({ store, clock, answer })
    const other = newShop({ store, clock, answer, aheadMs })
    journal.start()
    await clock.goOn(1000)
    await other.journal.inbox.receive({ clientOrderId: 'order-a', orderId: '9', status: 'approved' })
    first.resolve(replied(approved))
    await clock.goOn(10_000)
    expect(asked).toBe(2)
    die()
  })
})

describe('An order that no intent has', () => {
  const orphan = { clientOrderId: 'rec-1', orderId: '9', status: 'approved' }

  test('is reported by another process within 12 seconds, if one died while it was reporting it', async () => {
    const store = memoryJournalStore()
    const told: string[] = []
    const first = newShop({
      store,
      clock,
      answer: approving,
      handlerTimeoutMs: 60_000,
      onOrphan: ({ key }) => {
        told.push(`first ${key}`)
        return new Promise(() => {})
      },
    })
    const second = newShop({
      store,
      clock,
      answer: approving,
      onOrphan: ({ key }) => void told.push(`second ${key}`),
    })
    await first.journal.inbox.receive(orphan)
    first.journal.start()
    await clock.goOn(30_000)
    second.journal.start()
    expect(told).toHaveLength(1)
    first.die()
    expect(await timeUntil(async () => told.length > 1)).toBeLessThanOrEqual(TAKEN_UP_WITHIN_MS)
    expect(new Set(told.map((one) => one.split(' ')[1])).size).toBe(1)
    await second.journal.close()
  })
})
