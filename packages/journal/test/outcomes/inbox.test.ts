import type { Exchange, OutgoingRequest } from '@tallystick/client'
import { expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { rebill, shopProcess, statusReply } from '../shop-process.ts'

const lost: Exchange = { kind: 'lost', seen: 'nothing came back' }

test('A callback of an unknown order is stored as it came, and one too many is refused and reported', async () => {
  const clock = handClock()
  const told: JournalEvent['type'][] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer: async (_operation, request) => statusReply(request, { status: 'approved' }),
    orphanLimit: 1,
    onEvent: ({ type }) => void told.push(type),
  })
  const callback = {
    clientOrderId: 'a',
    orderId: '1',
    status: 'approved',
    type: 'sale',
    amount: '10.42',
    currency: 'USD',
    control: 'c',
  }
  expect([await journal.inbox.receive(callback), told]).toEqual(['stored', []])
  const { control: _, ...shown } = callback
  const at = clock.now()
  expect((await journal.report()).orphans).toEqual([{ ...shown, receivedAt: at, wokenAt: at, callbacks: 1 }])
  expect([await journal.inbox.receive({ ...callback, orderId: '2' }), told]).toEqual(['full', ['INBOX_FULL']])
})

test.each([
  ['is reported once if nobody is called with it', { handler: () => {} }, ['ORPHAN_UNHEARD']],
  ['is not reported if `onOrphan` is', { handler: () => {}, onOrphan: () => {} }, []],
  ['is not reported by a process that only receives callbacks', {}, []],
])(
  'A callback of an order without an intent %s; one of a payment whose reply was lost is not',
  async (_what, listeners, reported) => {
    const told: JournalEvent['type'][] = []
    const { journal } = shopProcess({
      store: memoryJournalStore(),
      clock: handClock(),
      answer: async () => lost,
      onEvent: ({ type }) => void told.push(type),
      ...listeners,
    })
    for (const orderId of ['1', '2']) {
      expect(await journal.inbox.receive({ clientOrderId: 'a', orderId, status: 'approved' })).toBe('stored')
    }
    expect(told).toEqual(reported)
    const { intent } = await journal.pay({ profile: 'a', period: '1' }, 'makeRebill', rebill)
    await journal.inbox.receive({ clientOrderId: intent.clientOrderId, orderId: '3', status: 'approved' })
    expect(told).toEqual(reported)
  },
)

test('By default there is room for 10 000 orders', async () => {
  const { journal } = shopProcess({ store: memoryJournalStore(), clock: handClock(), answer: async () => lost })
  const receive = (number: number) =>
    journal.inbox.receive({ clientOrderId: `a${number}`, orderId: String(number), status: 'approved' })
  for (let number = 1; number <= 10_000; number++) expect(await receive(number)).toBe('stored')
  expect(await receive(10_001)).toBe('full')
  expect(await receive(10_000)).toBe('stored')
})

test('An unknown order that never ends is checked for thirty days, counted from its last callback', async () => {
  const DAY = 86_400_000
  const clock = handClock()
  const began = clock.now()
  const asked: number[] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer: async (_operation, request) => {
      asked.push((clock.now() - began) / DAY)
      return statusReply(request, { status: 'processing' })
    },
    onOrphan: () => {},
  })
  const pass = async (days: number) => {
    for (let day = 0; day < days; day++) {
      await clock.goOn(DAY)
      await journal.settled()
    }
  }
  const callback = { clientOrderId: 'a', orderId: '9', status: 'processing' }
  await journal.inbox.receive(callback)
  await pass(35)
  expect(asked).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  await journal.inbox.receive(callback)
  await pass(35)
  expect(asked.slice(30)).toEqual(Array.from({ length: 30 }, (_, index) => index + 36))
})

test.for([
  undefined,
  { client_orderid: 'a', orderid: '1', status: 'approved' },
  { clientOrderId: ['a'], orderId: '1', status: 'approved' },
  { clientOrderId: 'a', orderId: 1, status: 'approved' },
  { clientOrderId: 'a', orderId: '1', status: '' },
])('A callback that names no order is not stored, and not acknowledged: %j', async (callback) => {
  const answer = async (_operation: string, request: OutgoingRequest) => statusReply(request, { status: 'approved' })
  const { journal } = shopProcess({ store: memoryJournalStore(), clock: handClock(), answer })
  await expect(journal.inbox.receive(callback as never)).rejects.toThrow(
    /^journal\.inbox\.receive: (?:client|order|status)/,
  )
  expect((await journal.report()).orphans).toEqual([])
})
