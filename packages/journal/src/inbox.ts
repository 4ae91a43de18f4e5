import { createHash } from 'node:crypto'
import type { CallbackInbox, ReceivedCallback } from '@tallystick/client'
import type { JournalParts } from './options.ts'

/**
 * The inbox of callbacks: durable before the gateway is told that it was heard. Also one that looks like an earlier one has
 * its order looked at: two equal partial reversals look alike (SAFETY.md part 3).
 */
export function inbox<Transaction>(
  { store, clock, strayLimit, tell }: JournalParts<Transaction>,
  onNews: () => void,
): CallbackInbox {
  return {
    receive: async (callback) => {
      const { clientOrderId, orderId, status, type, amount, currency } = callback
      const entry = { digest: digestOf(callback), clientOrderId, orderId, status, type, amount, currency }
      const received = await store.receive({ ...entry, receivedAt: clock.now() }, strayLimit)
      if (received === 'full') tell({ type: 'INBOX_FULL' })
      else onNews()
      return received
    },
  }
}

/** Callbacks that tell the same have the same (gaps part 6). */
function digestOf({ status, type = '', orderId, clientOrderId, amount = '' }: ReceivedCallback): string {
  return createHash('sha256')
    .update(JSON.stringify([status, type, orderId, clientOrderId, amount]))
    .digest('hex')
}
