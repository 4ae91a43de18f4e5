import type { Intent, IntentEndpoint } from '@tallystick/client'
import { endpointName, endpointOf } from '../intents/endpoint.ts'
import type { JournalParts } from '../options.ts'
import { asOfNow, isAbsentLongEnough, withAbsence } from '../status/absence.ts'
import { ask } from './ask.ts'

/** When each endpoint last knew an order: an absence proves nothing at an endpoint that knows none at all. */
export interface Answers {
  /** When the endpoint of an intent last answered for an order that exists. */
  lastOf(intent: Intent): Promise<number | undefined>
  /** Notes that it has just answered for one. */
  note(intent: Intent): Promise<void>
  /** Before a status check that may find the order absent for good: asks the same endpoint for an order that exists. */
  seekProof(intent: Intent): Promise<void>
}

/** How often such an answer is noted at most. */
const NOTE_EVERY_MS = 30_000

export function answers<Transaction>(parts: JournalParts<Transaction>): Answers {
  const { store, clock, tell } = parts
  const notedAt = new Map<string, number>()

  /** A failure is only reported: what was seen of the order counts all the same, and without the note nothing becomes absent. */
  async function write(endpoint: IntentEndpoint, at: number): Promise<void> {
    try {
      await store.noteAnswer(endpoint, at)
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    }
  }

  return {
    lastOf: (intent) => store.lastAnswerAt(endpointOf(intent)),
    note: async (intent) => {
      const now = clock.now()
      const endpoint = endpointOf(intent)
      const name = endpointName(endpoint)
      const passed = now - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY)
      // A negative time means that the clock was set back.
      if (passed >= 0 && passed < NOTE_EVERY_MS) return
      notedAt.set(name, now)
      await write(endpoint, now)
    },
    seekProof: async (asked) => {
      const now = clock.now()
      const intent = asOfNow(asked, now)
      const isOpening = intent.kind === 'opening' && intent.state === 'UNKNOWN'
      if (!isOpening || !isAbsentLongEnough({ ...intent, ...withAbsence(intent, now) }, now)) return
      const known = await store.knownOrder(endpointOf(intent))
      if (known === undefined) return
      const other = await ask({ ...known, kind: 'opening' }, parts)
      if (other.kind === 'found') await write(endpointOf(intent), clock.now())
    },
  }
}
