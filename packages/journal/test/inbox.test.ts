import type { OutgoingRequest } from '@tallystick/client'
import { expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { shopProcess, statusReply } from './shop-process.ts'

test('A callback of an unknown order is stored as it came, and one too many is refused and reported', async () => {
  const clock = handClock()
  const told: JournalEvent['type'][] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer: async (_operation, request) => statusReply(request, { status: 'approved' }),
    strayLimit: 1,
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
  expect((await journal.report()).strays).toEqual([{ ...shown, receivedAt: at, wokenAt: at, callbacks: 1 }])
  expect([await journal.inbox.receive({ ...callback, orderId: '2' }), told]).toEqual(['full', ['INBOX_FULL']])
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
  expect((await journal.report()).strays).toEqual([])
})
