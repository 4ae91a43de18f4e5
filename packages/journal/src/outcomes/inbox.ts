import { LEAST_WAIT_MS } from '@tallystick/client/internal'
import type { CallbackInbox, ReceivedCallback } from '@tallystick/client/ports'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import type { JournalParts } from '../context.ts'
import { filledText } from '../intents/endpoint.ts'

/**
 * The inbox of callbacks: each is stored durably before it is acknowledged. A callback that looks like an earlier one also causes
 * a status check of its order, since two equal partial reversals look alike (docs/guides/callbacks.md).
 */
export function inbox<Transaction>(
  { store, clock, handler, onOrphan, orphanLimit, emit, sends }: JournalParts<Transaction>,
  onNews: () => void,
): CallbackInbox {
  // Without a handler, this may be the process of a shop that delivers outcomes in another one.
  let isHeard = onOrphan !== undefined || handler === undefined
  return {
    receive: async (callback) => {
      requireNames(callback)
      const { clientOrderId, orderId, status, type, amount, currency } = callback
      const now = clock.now()
      const entry = { clientOrderId, orderId, status, type, amount, currency, receivedAt: now }
      const received = await store.receive(entry, { limit: orphanLimit, checkAt: now + LEAST_WAIT_MS })
      if (received === 'full') {
        emit({ type: 'INBOX_FULL' })
        return received
      }
      if (sends.has(clientOrderId)) sends.set(clientOrderId, 'called')
      onNews()
      if (received === 'orphan' && !isHeard) {
        isHeard = true
        emit({ type: 'ORPHAN_UNHEARD' })
      }
      return 'stored'
    },
  }
}

/** Refuses a callback as a framework parses it, with the wire names: stored like that, its order could not be asked for. */
function requireNames(callback: ReceivedCallback): void {
  const { clientOrderId, orderId, status } = Object(callback) as ReceivedCallback
  checkOptions('journal.inbox.receive', { clientOrderId, orderId, status }, NAMES)
}

const NAME = validator.required(filledText('those of readCallback'))
const NAMES: Validators<Pick<ReceivedCallback, 'clientOrderId' | 'orderId' | 'status'>> = {
  clientOrderId: NAME,
  orderId: NAME,
  status: NAME,
}
