import type { Clock, Intent, IntentChange, JournalStore } from '@tallystick/client'
import { isOfOrder } from '../decide/is-of-order.ts'
import type { Decision } from '../decide/look.ts'
import { missedBefore } from '../decide/missed-before.ts'
import { kept } from '../states.ts'

interface Parts {
  readonly store: Pick<JournalStore, 'ofOrder'>
  readonly clock: Pick<Clock, 'now'>
}

type Change = IntentChange & Partial<Decision>

/** What is written of an intent, and of the opening of its order where it is a modification that ends with it. */
export async function withOpening<C extends Change>(
  before: Intent,
  change: C,
  parts: Parts,
): Promise<readonly [C, ...IntentChange[]]> {
  const { intent: after } = change
  const isDone = before.state !== 'FINAL' && after.state === 'FINAL'
  const hasEnded = isDone || (before.holdsOrder && !after.holdsOrder)
  const opening = hasEnded ? await openingOf(after, parts) : undefined
  if (opening === undefined) return [change]
  // Of one that was presumed absent the opening did not wait: it has told what came before, and after.
  const missed = isDone && before.holdsOrder ? missedBefore(opening, opening.observed, after) : []
  return [{ ...change, outcomes: [...missed, ...change.outcomes] }, ...toldOf(change, opening, parts)]
}

async function openingOf(modification: Intent, { store }: Parts): Promise<Intent | undefined> {
  if (modification.kind !== 'modification') return undefined
  const ofId = await store.ofOrder(modification.clientOrderId)
  return ofId.find((other) => other.kind === 'opening' && other.state === 'FINAL' && isOfOrder(modification, other))
}

/** What a modification that ended has done is no news of its order; what came meanwhile is looked for now. */
function toldOf(
  { intent: { state, observed }, isChangedSince = false }: Change,
  opening: Intent,
  { clock }: Parts,
): readonly IntentChange[] {
  const now = clock.now()
  const changes = {
    // An answer to what was asked before that is older than what is written now.
    ...(state === 'FINAL' && { observed, lookedAt: now }),
    ...((isChangedSince || opening.nextCheckAt !== undefined) && { wokenAt: now, nextCheckAt: now }),
  }
  return Object.keys(changes).length === 0 ? [] : [{ intent: kept(opening, changes), outcomes: [] }]
}
