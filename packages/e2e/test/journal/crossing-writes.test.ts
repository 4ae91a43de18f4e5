import { memoryJournalStore } from '@tallystick/journal'
import { expect, test } from 'vitest'
import { journalShop, saleOf } from './shop.ts'

/** A store that makes the first write that ends an intent only after the second one. */
function crossing() {
  const store = memoryJournalStore()
  const secondWritten = Promise.withResolvers<void>()
  let ends = 0
  const update: typeof store.update = async (...changes) => {
    if (changes[0]?.intent.state !== 'FINAL') return await store.update(...changes)
    ends++
    if (ends === 1) await secondWritten.promise
    const isWritten = await store.update(...changes)
    secondWritten.resolve()
    return isWritten
  }
  return { ...store, update }
}

test('a return that ends while its payment does is reported once, and after the payment, whichever is written first', async () => {
  const shop = await journalShop({ store: crossing() })
  const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
  await shop.gateway.settled()
  const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
  await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
  await shop.gateway.settled()
  await shop.goOn(20, 5000)
  expect(shop.outcomes).toMatchObject([
    { kind: 'outcome', operation: 'sale', kept: '1042' },
    { kind: 'outcome', operation: 'return', kept: '742' },
  ])
  await shop.close()
})
