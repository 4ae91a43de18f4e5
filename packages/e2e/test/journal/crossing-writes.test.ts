import { memoryJournalStore } from '@tallystick/journal'
import { expect, test } from 'vitest'
import { journalShop, saleOf } from './shop.ts'

type Kind = 'opening' | 'modification'

/** Both ends are decided, by what was read before, when the first of them is written. */
function crossing(first: Kind) {
  const store = memoryJournalStore()
  const [bothDecided, firstWritten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isHeld = false

  const update: typeof store.update = async (...changes) => {
    const ended = changes[0]?.intent
    if (ended?.state !== 'FINAL' || isHeld) return await store.update(...changes)
    if (ended.kind === first) {
      await bothDecided.promise
      const isWritten = await store.update(...changes)
      firstWritten.resolve()
      isHeld = true
      return isWritten
    }
    bothDecided.resolve()
    await firstWritten.promise
    return await store.update(...changes)
  }
  return { ...store, update }
}

test.each(['opening', 'modification'] as const)(
  'a return that ends while its payment does is told once, where the %s is written first',
  async (first) => {
    const shop = await journalShop({ store: crossing(first) })
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
    await shop.gateway.settled()
    const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    await shop.gateway.settled()
    await shop.goOn(20, 5000)
    expect(shop.outcomes).toHaveLength(2)
    expect(shop.outcomes).toContainEqual(expect.objectContaining({ kind: 'outcome', operation: 'sale', kept: '1042' }))
    expect(shop.outcomes).toContainEqual(expect.objectContaining({ kind: 'outcome', operation: 'return', kept: '742' }))
    await shop.close()
  },
)
