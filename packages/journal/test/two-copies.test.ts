import type { Exchange } from '@tallystick/client'
import { describe, expect, test, vi } from 'vitest'
import { createJournal, type JournalEvent, memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { intentWith } from './intents.ts'
import { replied } from './shop-process.ts'

const LOST: Exchange = { kind: 'lost', seen: 'there was no reply' }
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'no such order' })

/** A journal whose client is of another copy of the packages, as of another version: its errors are of other classes. */
async function journalWithOtherClient(answer: Exchange) {
  vi.resetModules()
  const { decidingClient } = await import('./deciding-client.ts')
  const told: JournalEvent[] = []
  const store = memoryJournalStore()
  const clock = handClock()
  const client = decidingClient(undefined, () => answer)
  const onEvent = (event: JournalEvent) => void told.push(event)
  return { journal: createJournal({ client, store, clock, onEvent }), store, clock, told }
}

describe('If the client comes from another copy of the packages', () => {
  test.each([
    ['of no answer', LOST, 0],
    ['of an order that is not there', NO_SUCH_ORDER, 1],
  ])('a status check is one %s, and not a failure of the reconciler', async (_what, answer, absences) => {
    const { journal, store, clock, told } = await journalWithOtherClient(answer)
    const at = clock.now()
    await store.insert(intentWith({ state: 'UNKNOWN', sentAt: at - 20_000, nextCheckAt: at }))
    await journal.reconcile()
    expect(told).toEqual([])
    expect(await store.find('intent-1')).toMatchObject({ state: 'UNKNOWN', absences })
  })

  test('a change of an order whose status is not answered is not sent, and nothing is thrown at the shop', async () => {
    const { journal } = await journalWithOtherClient(LOST)
    const order = { clientOrderId: 'invoice-a', orderId: '6768788' }
    expect(await journal.pay('refund 1', 'return', order)).toMatchObject({
      outcome: 'notSent',
      error: { code: 'NO_REPLY' },
    })
  })
})
