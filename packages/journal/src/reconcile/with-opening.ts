import type { Clock, Intent, IntentChange, JournalStore, Observation } from '@tallystick/client'
import { isOfOrder } from '../decide/is-of-order.ts'
import type { Decision } from '../decide/look.ts'
import { missedBefore } from '../decide/missed-before.ts'
import { kept, sameObservation } from '../states.ts'

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

/** What a modification that ended has done is no news of its order; what came before or meanwhile is looked for now. */
function toldOf(
  { intent: { state, observed }, isChangedSince = false }: Change,
  opening: Intent,
  { clock }: Parts,
): readonly IntentChange[] {
  const now = clock.now()
  const isDone = state === 'FINAL'
  const isAsked = opening.nextCheckAt !== undefined || isChangedSince || (!isDone && isNews(observed, opening))
  const changes = {
    // An answer to what was asked before that is older than what is written now.
    ...(isDone && { observed, lookedAt: now }),
    ...(isAsked && { wokenAt: now, nextCheckAt: now }),
  }
  return isDone || isAsked ? [{ intent: kept(opening, changes), outcomes: [] }] : []
}

/** Whether a look for a modification has shown what nobody was told of: not of every chargeback there is a callback. */
function isNews(observed: Observation | undefined, { observed: told }: Intent): boolean {
  return observed !== undefined && told !== undefined && !sameObservation(told, observed)
}
