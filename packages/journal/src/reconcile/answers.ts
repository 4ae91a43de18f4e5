import type { Intent, IntentEndpoint } from '@tallystick/client'
import { asOfNow, isAbsentLongEnough, withAbsence } from '../decide/absence.ts'
import { endpointName, endpointOf } from '../endpoint.ts'
import type { JournalParts } from '../options.ts'
import { ask } from './ask.ts'

/** What is known of the endpoints: whether one tells of orders at all is part of what an absence means. */
export interface Answers {
  /** When the endpoint of an intent last told of an order that exists. */
  lastOf(intent: Intent): Promise<number | undefined>
  /** It told of one now. */
  note(intent: Intent): Promise<void>
  /** A look that may find an order absent for good is preceded by one for an order that is there. */
  seekProof(intent: Intent): Promise<void>
}

/** The gateway's answer is noted once in so many milliseconds. */
const NOTE_EVERY_MS = 30_000

export function answers<Transaction>(parts: JournalParts<Transaction>): Answers {
  const { store, clock, tell } = parts
  const notedAt = new Map<string, number>()

  /** As well as it can be: what was seen of the order counts all the same, and without the note nothing is absent. */
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
      // Less than nothing has passed where the clock was set back.
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
