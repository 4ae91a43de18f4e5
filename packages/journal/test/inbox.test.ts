import { expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { shopProcess, statusReply } from './shop-process.ts'

test('A callback of an unknown order is kept as it came, and one too many is refused and told of', async () => {
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
