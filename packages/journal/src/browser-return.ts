import { type Intent, LEAST_WAIT_MS } from '@tallystick/client'
import { lastLookAt } from './decide/next-check.ts'
import { inTime } from './in-time.ts'
import type { LookAt } from './one-look-at-a-time.ts'
import type { JournalParts } from './options.ts'
import { type Standing, standingOf } from './sending/pay-result.ts'

/** What the page shows to a customer who comes back. */
export interface ReturnView {
  /** `pending`: not decided yet; ask the customer to wait, and never to pay again. `unknown-order`: not one of ours. */
  readonly shown: 'approved' | 'declined' | 'pending' | 'unknown-order'
  readonly businessKey?: string
  readonly intent?: Intent
}

/** How long the customer waits for the page. What comes later is written all the same. */
const LONGEST_WAIT_MS = 10_000

/**
 * The customer's browser came back and named an order. What it brings proves nothing, since anybody can send it: it only has
 * the status asked now, at most once in two seconds, and the journal says what to show.
 */
export async function browserReturn<Transaction>(
  clientOrderId: string | undefined,
  { store, clock }: Pick<JournalParts<Transaction>, 'store' | 'clock'>,
  look: LookAt,
): Promise<ReturnView> {
  if (clientOrderId === undefined) return { shown: 'unknown-order' }
  const named = (await store.ofOrder(clientOrderId)).find(({ kind }) => kind === 'opening')
  if (named === undefined) return { shown: 'unknown-order' }
  // As the look has left it, or as it was where that takes too long.
  const limit = { clock, limitMs: LONGEST_WAIT_MS, late: () => named }
  const intent = mayBeAsked(named, clock.now()) ? await inTime(() => look(named), limit) : named
  return { shown: shownOf(intent), businessKey: intent.businessKey, intent }
}

/** What is being sent, and what has ended, has no status to ask for. */
function mayBeAsked(intent: Intent, now: number): boolean {
  const isOpen = intent.state !== 'SENDING' && OPEN.has(standingOf(intent).outcome)
  return isOpen && now - lastLookAt(intent, now) >= LEAST_WAIT_MS
}

const OPEN: ReadonlySet<Standing['outcome']> = new Set(['accepted', 'unknown', 'absent'])

/** A refusal, as long as the status has not confirmed it, is no more than `unknown`. */
function shownOf(intent: Intent): ReturnView['shown'] {
  const { outcome } = standingOf(intent)
  if (outcome === 'rejected') return 'declined'
  if (outcome !== 'final') return 'pending'
  return intent.status === 'approved' ? 'approved' : 'declined'
}
