import { LEAST_WAIT_MS } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import type { JournalParts } from '../context.ts'
import { isOpening } from '../intents/states.ts'
import { type Standing, standingOf } from '../pay/result.ts'
import { inTime, type StatusCheck } from '../runtime/concurrency.ts'
import { lastCheckAt } from '../status/poll.ts'

/** What the page shows to a customer who comes back. */
export interface ReturnView {
  /** `pending`: not decided yet; ask the customer to wait, and never to pay again. `unknown-order`: not one of ours. */
  readonly shown: 'approved' | 'declined' | 'pending' | 'unknown-order'
  readonly businessKey?: string
  readonly intent?: Intent
}

/** How long the customer waits for the page. A later answer is still written. */
const LONGEST_WAIT_MS = 10_000

/**
 * What to show when the customer's browser comes back and names an order. What it brings proves nothing, since anybody can send
 * it. It only causes a status check, at most once in two seconds; the journal says what to show.
 */
export async function browserReturn<Transaction>(
  clientOrderId: string | undefined,
  { store, clock }: Pick<JournalParts<Transaction>, 'store' | 'clock'>,
  check: StatusCheck,
): Promise<ReturnView> {
  if (clientOrderId === undefined) return { shown: 'unknown-order' }
  const named = (await store.ofOrder(clientOrderId)).find(isOpening)
  if (named === undefined) return { shown: 'unknown-order' }
  // The intent after the status check, or as it was if that takes too long.
  const limit = { clock, limitMs: LONGEST_WAIT_MS, late: () => named }
  const intent = mayBeAsked(named, clock.now()) ? await inTime(() => check(named), limit) : named
  return { shown: shownOf(intent), businessKey: intent.businessKey, intent }
}

/** Whether the status may be checked now: not while the intent is being sent, not once it has ended, nor twice in two seconds. */
function mayBeAsked(intent: Intent, now: number): boolean {
  const isOpen = intent.state !== 'SENDING' && OPEN.has(standingOf(intent).outcome)
  return isOpen && now - lastCheckAt(intent, now) >= LEAST_WAIT_MS
}

const OPEN: ReadonlySet<Standing['outcome']> = new Set(['accepted', 'unknown', 'absent'])

/** A refusal that the status has not confirmed yet is shown as `pending`, since it counts as `unknown`. */
function shownOf(intent: Intent): ReturnView['shown'] {
  const { outcome } = standingOf(intent)
  if (outcome === 'rejected') return 'declined'
  if (outcome !== 'final') return 'pending'
  return intent.status === 'approved' ? 'approved' : 'declined'
}
