import type { Exchange, OutgoingRequest } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import { moved } from '../../src/intents/states.ts'
import { withdraw } from '../../src/pay/withdraw.ts'
import { decidingClient } from '../deciding-client.ts'
import { type HandClock, handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { rebill, replied, shopProcess, statusReply } from '../shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }
const LOST: Exchange = { kind: 'lost', seen: 'the connection was reset' }

/** A shop, and the operations that its gateway was sent. */
function shop(exchange: Exchange) {
  const sent: string[] = []
  const answer = async (operation: string) => {
    sent.push(operation)
    return exchange
  }
  const store = memoryJournalStore()
  const clock = handClock()
  const start = () => shopProcess({ store, clock, answer, repeatsGetFirstAnswer: true })
  return { sent, store, clock, ...start(), another: start().journal }
}

test('A payment whose reply was lost is not sent again, even if a repeat gets the first answer: only a card is', async () => {
  const { sent, journal } = shop(LOST)
  const order = { clientOrderId: 'order-a', orderId: '9' }
  for (let times = 0; times < 2; times++) {
    expect((await journal.pay(KEY, 'makeRebill', rebill)).outcome).toBe('unknown')
    expect((await journal.pay('card 1', 'createCardRef', order)).outcome).toBe('unknown')
  }
  expect(sent).toEqual(['make-rebill', 'create-card-ref', 'create-card-ref'])
})

test('Of two different requests under one key at the same time one is sent, and the other is a conflict with it', async () => {
  const { sent, journal, another } = shop(replied({ type: 'async-response', 'paynet-order-id': '9' }))
  const paid = await Promise.all(
    [journal, another].map((each, at) => each.pay(KEY, 'makeRebill', { ...rebill, amount: `10.4${at}` })),
  )
  expect(paid.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'conflict'])
  for (const one of paid) expect(one).toHaveProperty('error', undefined)
  expect(sent).toEqual(['make-rebill'])
})

const never = () => new Promise<Exchange>(() => {})

describe('A second press', () => {
  let clock: HandClock
  let store: JournalStore<undefined>
  beforeEach(() => {
    clock = handClock()
    store = memoryJournalStore()
  })

  /** Another process of the shop, whose gateway answers a payment after a while. */
  function startedShop(answer: Exchange, afterMs: number) {
    const sent: string[] = []
    const shop = shopProcess({
      store,
      clock,
      answer: async (operation) => {
        sent.push(operation)
        await new Promise<void>((resolve) => clock.schedule(afterMs, resolve))
        return answer
      },
    })
    return { ...shop, sent, press: () => shop.journal.pay(KEY, 'makeRebill', rebill) }
  }

  const TAKEN = replied({ type: 'async-response', 'paynet-order-id': '9' })
  const accepted = { outcome: 'accepted', intent: { orderId: '9' } }

  test.each(['the same process', 'another process'])(
    'in %s waits for the answer to the first one, and gets the same',
    async (where) => {
      const first = startedShop(TAKEN, 60_000)
      const second = where === 'the same process' ? first : startedShop(TAKEN, 60_000)
      const pressed = [first.press()]
      await clock.goOn(200)
      pressed.push(second.press())
      await clock.goOn(60_200)
      expect(await Promise.all(pressed)).toMatchObject([accepted, accepted])
      expect(first.sent).toEqual(['make-rebill'])
      if (second !== first) expect(second.sent).toEqual([])
    },
  )

  test('at the same moment in another process is not sent either', async () => {
    const shops = [startedShop(TAKEN, 100), startedShop(TAKEN, 100)]
    const pressed = shops.map(({ press }) => press())
    await clock.goOn(500)
    expect(await Promise.all(pressed)).toMatchObject([accepted, accepted])
    expect(shops.flatMap(({ sent }) => sent)).toEqual(['make-rebill'])
  })

  test('in another process sends what never left', async () => {
    const first = startedShop({ kind: 'not-sent', seen: 'the connection was refused' }, 1000)
    const second = startedShop(TAKEN, 1000)
    const pressed = [first.press()]
    await clock.goOn(200)
    pressed.push(second.press())
    await clock.goOn(2400)
    expect(await Promise.all(pressed)).toMatchObject([{ outcome: 'notSent' }, accepted])
  })

  test('waits no longer for a process that has died than its lease lasts', async () => {
    const first = startedShop(TAKEN, 60_000)
    const second = startedShop(TAKEN, 60_000)
    void first.press()
    await clock.goOn(200)
    first.die()
    const pressed = second.press()
    await clock.goOn(8200)
    expect(await pressed).toMatchObject({ outcome: 'unknown', intent: { state: 'SENDING' } })
    expect(second.sent).toEqual([])
  })

  test.each([0, 2000])('waits no longer than an answer may take, even if each look takes %i ms', async (lookMs) => {
    // The first process lives, and never has an answer.
    const first = shopProcess({ store, clock, answer: never })
    void first.journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(200)
    const { find } = store
    const slowFind = async (intentId: string) => {
      await new Promise<void>((resolve) => clock.schedule(lookMs, resolve))
      return await find(intentId)
    }
    store = { ...store, find: slowFind }
    const second = startedShop(TAKEN, 100)
    const pressed = second.press()
    await clock.goOn(70_000 + lookMs)
    expect(await pressed).toMatchObject({ outcome: 'unknown', intent: { state: 'SENDING' } })
    expect(second.sent).toEqual([])
  })
})

test('A press after one that failed is not held up by it', async () => {
  const memory = memoryJournalStore()
  const insert = vi.fn<typeof memory.insert>(memory.insert).mockRejectedValueOnce(new Error('disk full'))
  const answer = async () => replied({ type: 'async-response', 'paynet-order-id': '9' })
  const { journal } = shopProcess({ store: { ...memory, insert }, clock: handClock(), answer })
  const pressed = [1, 2].map(() => journal.pay(KEY, 'makeRebill', rebill))
  expect(await Promise.allSettled(pressed)).toMatchObject([
    { status: 'rejected', reason: { message: 'disk full' } },
    { status: 'fulfilled', value: { outcome: 'accepted' } },
  ])
})

test('What another process has just written, and not sent yet, is sent', async () => {
  const memory = memoryJournalStore()
  let isFirst = true
  const insert: typeof memory.insert = async (intent) => {
    if (isFirst) await memory.insert({ ...intent, intentId: 'of another process' })
    isFirst = false
    return await memory.insert(intent)
  }
  const answer = async () => replied({ type: 'async-response', 'paynet-order-id': '9' })
  const { journal } = shopProcess({ store: { ...memory, insert }, clock: handClock(), answer })
  const paid = await journal.pay(KEY, 'makeRebill', rebill)
  expect(paid).toMatchObject({ outcome: 'accepted', intent: { intentId: 'of another process', sends: 1 } })
})

test('A card that was not stored, as an operator says, is stored again, and its status is not asked: there is none', async () => {
  const { sent, journal, store } = shop(replied({ type: 'async-response', 'card-ref-id': '77' }))
  const first = { operation: 'createCardRef', kind: 'card', state: 'PRESUMED_ABSENT', holdsKey: false } as const
  await store.insert(intentWith({ ...first, businessKey: 'card 1', orderId: '9' }))
  const order = { clientOrderId: 'order-a', orderId: '9' }
  expect(await journal.pay('card 1', 'createCardRef', order, { attempt: 2 })).toMatchObject({ outcome: 'final' })
  expect(sent).toEqual(['create-card-ref'])
})

test('A withdrawn intent is refused for good, with the reason, unless another process is sending it', async () => {
  const store = memoryJournalStore()
  const parts = { store, clock: handClock(5), client: decidingClient() }
  const unsent = intentWith({ state: 'NOT_SENT', leaseOwner: 'me', leaseUntil: 9, nextCheckAt: 9 })
  await store.insert(unsent)
  const withdrawn = await withdraw(unsent, 'given up', parts)
  expect(withdrawn).toEqual({
    ...intentWith({ state: 'REJECTED', version: 2, holdsKey: false, rejection: 'given up' }),
    // The next attempt has its id.
    clientOrderId: expect.stringMatching(/^t[0-9a-v]{24}[a-p]$/),
    evidence: [{ at: 5, seen: 'given up' }],
    leaseOwner: undefined,
    leaseUntil: undefined,
    nextCheckAt: undefined,
  })
  expect(await store.find('intent-1')).toEqual(withdrawn)
  expect(await withdraw(unsent, 'given up', parts)).toBeUndefined()
})

test('A void that never left, and never will since an earlier one has arrived, frees its order', async () => {
  let shown: Readonly<Record<string, string>> | undefined = { 'transaction-type': 'capture', amount: '10.42' }
  let answered: Exchange = LOST
  const store = memoryJournalStore()
  const { journal } = shopProcess({
    store,
    clock: handClock(),
    answer: async (operation, request) =>
      operation !== 'status'
        ? answered
        : shown
          ? statusReply(request, { status: 'approved', currency: 'USD', ...shown })
          : LOST,
  })
  const order = { clientOrderId: 'order-a', orderId: '9' }
  const pay = (attempt?: number) => journal.pay('void 1', 'void', order, attempt === undefined ? {} : { attempt })
  const { intent } = await pay()
  await store.update({ intent: moved(intent, 'PRESUMED_ABSENT'), outcomes: [] })
  answered = { kind: 'not-sent', seen: 'the connection was refused' }
  expect(await pay(2)).toMatchObject({ outcome: 'notSent', intent: { attempt: 2, holdsOrder: true } })
  // Not while nobody knows what became of that one: it may be sent yet.
  shown = undefined
  expect(await pay(2)).toMatchObject({ outcome: 'absent', intent: { attempt: 1 } })
  expect(await journal.attempts('void 1')).toMatchObject([{}, { state: 'NOT_SENT', holdsOrder: true }])
  shown = { 'transaction-type': 'cancel', amount: '5.00' }
  for (let times = 0; times < 2; times++) {
    expect(await pay(2)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
  }
  answered = replied({ type: 'async-response', 'paynet-order-id': '9' })
  const refunded = await journal.pay('refund 1', 'return', { ...order, amount: '1.00', currency: 'USD' })
  expect(refunded).toMatchObject({ outcome: 'accepted', intent: { holdsOrder: true } })
})

test('A refund that does not fit its model is withdrawn for another change of its order; one not sent for another reason keeps it', async () => {
  let answered: Exchange = replied({ type: 'async-response', 'paynet-order-id': '9' })
  const answer = async (operation: string, request: OutgoingRequest) =>
    operation === 'status' ? statusReply(request, { status: 'approved' }) : answered
  const store = memoryJournalStore()
  const { journal } = shopProcess({ store, clock: handClock(), answer })
  const part = { clientOrderId: 'order-a', orderId: '9', amount: '1.00', currency: 'USD' }
  const refund = (number: number, comment: string) => journal.pay(`refund ${number}`, 'return', { ...part, comment })
  const tooLong = 'One cup was broken, and so was the other one, sadly.'

  expect(await refund(1, tooLong)).toMatchObject({ outcome: 'notSent', error: { code: 'INVALID_INPUT' } })
  answered = { kind: 'not-sent', seen: 'the connection was refused' }
  expect(await refund(2, 'Broken')).toMatchObject({ outcome: 'notSent', error: { code: 'NOT_SENT' } })
  expect(await refund(1, tooLong)).toMatchObject({ outcome: 'rejected', intent: { state: 'REJECTED', sends: 1 } })
  expect(await refund(3, 'Broken')).toMatchObject({ outcome: 'conflict', intent: { businessKey: 'refund 2' } })

  answered = replied({ type: 'async-response', 'paynet-order-id': '9' })
  expect(await refund(2, 'Broken')).toMatchObject({ outcome: 'accepted', intent: { attempt: 1, sends: 2 } })
  expect((await journal.attempts('refund 1')).map(({ evidence }) => evidence.at(-1)?.seen)).toEqual([
    'withdrawn: it does not fit its model, and another change of its order was asked for',
  ])
})

test('A refund that does not fit its model and is being sent again by now keeps its order', async () => {
  const memory = memoryJournalStore()
  const answer = async (operation: string, request: OutgoingRequest) =>
    operation === 'status' ? statusReply(request, { status: 'approved' }) : LOST
  const unfit = {
    businessKey: 'refund 1',
    operation: 'return',
    kind: 'modification',
    orderId: '9',
    holdsOrder: true,
  } as const
  await memory.insert(intentWith({ ...unfit, state: 'NOT_SENT', rejection: 'the comment is too long' }))
  const update: typeof memory.update = async (...changes) =>
    changes.every(({ intent }) => intent.businessKey !== 'refund 1') && (await memory.update(...changes))
  const { journal } = shopProcess({ store: { ...memory, update }, clock: handClock(), answer })
  const refunded = await journal.pay('refund 2', 'return', {
    clientOrderId: 'order-a',
    orderId: '9',
    comment: 'Broken',
  })
  expect(refunded).toMatchObject({ outcome: 'conflict', intent: { businessKey: 'refund 1' } })
})

test('An amount that is an accessor of a class is written, and sent', async () => {
  class Part {
    readonly clientOrderId = 'order-a'
    readonly orderId = '9'
    get amount() {
      return '10.42'
    }
    get currency() {
      return 'EUR'
    }
  }
  const amounts: Array<string | null> = []
  const answer = async (operation: string, request: OutgoingRequest) => {
    if (operation !== 'return') return statusReply(request, { status: 'approved' })
    amounts.push(new URLSearchParams(request.body).get('amount'))
    return replied({ type: 'async-response', 'paynet-order-id': '9' })
  }
  const { journal } = shopProcess({ store: memoryJournalStore(), clock: handClock(), answer })
  const { intent } = await journal.pay('return 1', 'return', new Part())
  expect([intent.amounts, amounts]).toEqual([['1042'], ['10.42']])
})

test('[F-A10] a call with an optional field that is empty instead of absent is the same request', async () => {
  const shop = shopProcess({
    store: memoryJournalStore(),
    clock: handClock(),
    answer: async () => replied({ type: 'async-response', 'paynet-order-id': '9' }),
  })
  const period = { profile: 'sub-1', period: '3' }
  const first = await shop.journal.pay(period, 'makeRebill', rebill)
  const blank = { ...rebill, amount: '10.420', comment: ' ', clientOrderId: undefined }
  const again = await shop.journal.pay(period, 'makeRebill', blank)
  expect([first.outcome, again.outcome]).toEqual(['accepted', 'accepted'])
})
