import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { intentWith } from './intents.ts'
import { shopProcess } from './shop-process.ts'

const part = { clientOrderId: 'order-a', orderId: '9', amount: '3.00', currency: 'USD', comment: 'broken' }

test.each([
  ['before it', -3000, 1],
  ['after it', 3000, 3000],
])(
  'A return is later than earlier returns of its order, even by a clock that shows a time %s',
  async (_what, aheadMs, later) => {
    const clock = handClock()
    const store = memoryJournalStore()
    const before = clock.now()
    const times = { createdAt: before, orderId: '9', state: 'FINAL', status: 'approved' } as const
    await store.insert(intentWith(times))
    await store.insert(intentWith({ ...times, intentId: '2', businessKey: 'refund 1', kind: 'modification' }))
    const { journal } = shopProcess({
      store,
      clock,
      aheadMs,
      answer: () => Promise.reject(new Error('nothing is sent')),
    })
    const { intent } = await journal.prepare('refund 2', 'return', part, undefined)
    expect(intent.createdAt - before).toBe(later)
    await journal.close()
  },
)
