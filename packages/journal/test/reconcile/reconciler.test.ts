import type { Intent, JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore } from '../../src/index.ts'
import { moved } from '../../src/intents/states.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from '../shop-process.ts'

const HOUR = 60 * 60_000

/** A process that finds these intents in its store. */
async function finding(
  intents: (now: number) => readonly Partial<Intent>[],
  answer: Answer,
  changes: Partial<JournalStore> = {},
) {
  const clock = handClock()
  const store = { ...memoryJournalStore(), ...changes }
  for (const changes of intents(clock.now())) await store.insert(intentWith(changes))
  const events: JournalEvent['type'][] = []
  const told: JournalOutcome[] = []
  const onEvent = ({ type }: JournalEvent) => void events.push(type)
  const { journal } = shopProcess({
    store,
    clock,
    answer,
    onEvent,
    handler: ({ outcome }) => void told.push(outcome),
  })
  return { clock, store, journal, events, told }
}

test('A callback that comes during a status check causes another one two seconds later', async () => {
  const asked: number[] = []
  const open = (now: number) => [{ state: 'ACCEPTED', orderId: '9', createdAt: now - HOUR, nextCheckAt: now } as const]
  const shop = await finding(open, async (_operation, request) => {
    asked.push(shop.clock.now())
    const callback = { clientOrderId: 'order-a', orderId: '9', status: 'approved' }
    if (asked.length === 1) await shop.journal.inbox.receive(callback)
    return statusReply(request, { status: 'processing' })
  })
  const began = shop.clock.now()
  shop.journal.start()
  await shop.clock.goOn(5000)
  expect(asked.map((at) => at - began)).toEqual([0, 2000])
  await shop.journal.close()
})

test('A card goes to review if the process died while storing it', async () => {
  const dead = { leaseOwner: 'dead', leaseUntil: 5, nextCheckAt: 5 }
  const storing = () => [{ ...dead, kind: 'card', operation: 'createCardRef', state: 'SENDING', sends: 1 } as const]
  const { journal, store, events } = await finding(storing, async () => Promise.reject(new Error('nothing is asked')))
  await journal.reconcile()
  const free = { leaseOwner: undefined, leaseUntil: undefined, nextCheckAt: undefined }
  expect(await store.find('intent-1')).toMatchObject({ state: 'REVIEW', reviewReason: 'NO_STATUS', ...free })
  expect(events).toEqual(['REVIEW'])
})

test('A return of another order under the same client order id holds up nothing', async () => {
  const observed = { status: 'approved', transactionType: 'sale', amount: '1042' }
  const refund = { intentId: '2', businessKey: 'refund', kind: 'modification', operation: 'return' } as const
  const two = (now: number): readonly Partial<Intent>[] => [
    { state: 'FINAL', status: 'approved', orderId: '9', observed, nextCheckAt: now, createdAt: now },
    { ...refund, state: 'REVIEW', orderId: '8', holdsOrder: true },
  ]
  const chargedBack = { status: 'approved', 'transaction-type': 'chargeback', amount: '5.42' }
  const { journal, told } = await finding(two, async (_operation, request) => statusReply(request, chargedBack))
  await journal.reconcile()
  expect(told).toMatchObject([{ kind: 'notice', transactionType: 'chargeback', amount: '500' }])
})

test('A payment of another order under the same client order id holds up no return', async () => {
  const before = { status: 'approved', transactionType: 'sale', amount: '1042' }
  const refund = { intentId: '2', businessKey: 'refund', kind: 'modification', operation: 'return' } as const
  const two = (now: number): readonly Partial<Intent>[] => [
    { state: 'ACCEPTED', orderId: '9' },
    {
      ...refund,
      state: 'ACCEPTED',
      orderId: '8',
      amounts: ['300'],
      before,
      nextCheckAt: now,
      createdAt: now,
      sentAt: now,
    },
  ]
  const givenBack = { 'paynet-order-id': '8', status: 'approved', 'transaction-type': 'reversal', amount: '7.42' }
  const { journal, told } = await finding(two, async (_operation, request) => statusReply(request, givenBack))
  await journal.reconcile()
  expect(told).toMatchObject([{ kind: 'outcome', operation: 'return', amount: '300', kept: '742' }])
})

test('What was seen of an order is written even if the answer of its endpoint cannot be noted', async () => {
  const open = (now: number) => [{ state: 'ACCEPTED', orderId: '9', createdAt: now - HOUR, nextCheckAt: now } as const]
  const noteAnswer = async () => Promise.reject(new Error('another process keeps the row'))
  const approved = { status: 'approved', amount: '10.42', currency: 'USD' }
  const answer: Answer = async (_operation, request) => statusReply(request, approved)
  const { journal, told, events } = await finding(open, answer, { noteAnswer })
  await journal.reconcile()
  expect(told).toMatchObject([{ kind: 'outcome', status: 'approved', kept: '1042' }])
  expect(events).toEqual(['RECONCILE_FAILED'])
})

test('What the sending process has written after all stays, and the lease is released', async () => {
  const clock = handClock()
  const memory = memoryJournalStore()
  const lapsed = { leaseOwner: 'slow', leaseUntil: clock.now() - 1, nextCheckAt: clock.now() - 1 }
  await memory.insert(intentWith({ ...lapsed, state: 'SENDING', sentAt: clock.now() - 9000, sends: 1 }))
  const nextCheckAt = clock.now() + 5000
  const claimDue: typeof memory.claimDue = async (claim) => {
    const claimed = await memory.claimDue(claim)
    const accepted = claimed.map((intent) => ({
      intent: moved(intent, 'ACCEPTED', { orderId: '9', nextCheckAt }),
      outcomes: [],
    }))
    await memory.update(...accepted)
    return claimed
  }
  const events: JournalEvent['type'][] = []
  const { journal } = shopProcess({
    store: { ...memory, claimDue },
    clock,
    answer: () => Promise.reject(new Error('nothing is asked')),
    onEvent: ({ type }) => void events.push(type),
  })
  await journal.reconcile()
  const free = { leaseOwner: undefined, leaseUntil: undefined }
  expect(await memory.find('intent-1')).toMatchObject({ state: 'ACCEPTED', orderId: '9', nextCheckAt, ...free })
  expect(events).toEqual([])
})

test.each(['UNKNOWN', 'ACCEPTED'] as const)(
  'A return that is seen before its payment, which is %s, is reported after it',
  async (state) => {
    const before = { status: 'approved', transactionType: 'sale', amount: '1042' }
    const refund = { intentId: '2', businessKey: 'refund', kind: 'modification', operation: 'return' } as const
    const two = (now: number): readonly Partial<Intent>[] => [
      { state, orderId: '9', createdAt: now, nextCheckAt: now + HOUR },
      {
        ...refund,
        state: 'UNKNOWN',
        orderId: '9',
        amounts: ['300'],
        before,
        createdAt: now,
        sentAt: now,
        nextCheckAt: now,
        holdsOrder: true,
      },
    ]
    const returned = { status: 'approved', 'transaction-type': 'reversal', amount: '7.42', 'initial-amount': '10.42' }
    const { journal, clock, told } = await finding(two, async (_operation, request) => statusReply(request, returned))
    journal.start()
    await clock.goOn(10_000)
    expect(told).toMatchObject([
      { businessKey: 'invoice 77', amount: '1042', kept: '1042' },
      { businessKey: 'refund', amount: '300', kept: '742' },
    ])
    await journal.close()
  },
)

const KEY = { profile: 'subscription 12', period: '2026-11' }

test('A status answer that arrives only after a return of the payment has ended does not count', async () => {
  const clock = handClock()
  const told: JournalOutcome[] = []
  const paid = { 'transaction-type': 'sale', status: 'approved', amount: '10.42' }
  let shown = paid
  let answerLate = () => {}
  let isHeld = false
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    handler: ({ outcome }) => void told.push(outcome),
    answer: async (operation, request) => {
      if (operation === 'return') shown = { ...paid, 'transaction-type': 'reversal', amount: '7.42' }
      if (operation !== 'status') {
        return replied({ type: 'async-response', 'serial-number': 's-1', 'paynet-order-id': '9' })
      }
      const serialNumber = new URLSearchParams(request.body).get('by-request-sn')
      const reply = statusReply(request, { ...shown, ...(serialNumber && { 'by-request-sn': serialNumber }) })
      if (!isHeld) return reply
      isHeld = false
      await new Promise<void>((resolve) => {
        answerLate = resolve
      })
      return reply
    },
  })
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  const order = { clientOrderId: intent.clientOrderId, orderId: '9' }
  journal.start()
  await clock.goOn(5000)
  isHeld = true
  await journal.inbox.receive({ ...order, status: 'approved', type: 'sale' })
  await clock.goOn(3000)
  await journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
  await clock.goOn(5000)
  answerLate()
  await clock.goOn(5000)
  await journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })
  await clock.goOn(5000)
  expect(told).toMatchObject([
    { kind: 'outcome', operation: 'makeRebill', kept: '1042' },
    { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
  ])
  await journal.close()
})

test('Callbacks that come during the status check for the first one cause another, however many have the same time', async () => {
  const clock = handClock()
  const told: JournalOutcome[] = []
  let amount = '10.42'
  let answerLate = () => {}
  let isHeld = false
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    handler: ({ outcome }) => void told.push(outcome),
    answer: async (operation, request) => {
      if (operation !== 'status') return replied({ type: 'async-response', 'paynet-order-id': '9' })
      const type = amount === '10.42' ? 'sale' : 'reversal'
      const reply = statusReply(request, { 'transaction-type': type, status: 'approved', amount })
      if (isHeld) await new Promise<void>((resolve) => (answerLate = resolve))
      return reply
    },
  })
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  journal.start()
  await clock.goOn(5000)
  const isGivenBack = async (left: string) => {
    amount = left
    await journal.inbox.receive({ clientOrderId: intent.clientOrderId, orderId: '9', status: 'approved' })
  }
  isHeld = true
  await isGivenBack('7.42')
  await clock.goOn(0)
  await clock.goOn(0)
  isHeld = false
  await isGivenBack('5.42')
  await isGivenBack('4.42')
  answerLate()
  await clock.goOn(5000)
  expect(told.map(({ kept }) => kept)).toEqual(['1042', '742', '442'])
  await journal.close()
})
