import type { Clock, Intent, IntentChange, JournalStore } from '@tallystick/client'
import { isOfOrder } from '../decide/is-of-order.ts'
import { kept } from '../states.ts'

interface Parts {
  readonly store: Pick<JournalStore, 'ofOrder'>
  readonly clock: Pick<Clock, 'now'>
}

/** What is written to the opening of an order together with a modification of it. */
export async function afterModification(before: Intent, after: Intent, parts: Parts): Promise<readonly IntentChange[]> {
  const isDone = before.state !== 'FINAL' && after.state === 'FINAL'
  const hasEnded = isDone || (before.holdsOrder && !after.holdsOrder)
  const opening = hasEnded ? await openingOf(after, parts) : undefined
  return opening === undefined ? [] : toldOf(after, opening, parts)
}

async function openingOf(modification: Intent, { store }: Parts): Promise<Intent | undefined> {
  if (modification.kind !== 'modification') return undefined
  const ofId = await store.ofOrder(modification.clientOrderId)
  return ofId.find((other) => other.kind === 'opening' && other.state === 'FINAL' && isOfOrder(modification, other))
}

/** What a modification that ended has done is no news of its order; what came meanwhile is looked for now. */
function toldOf({ state, observed }: Intent, opening: Intent, { clock }: Parts): readonly IntentChange[] {
  const now = clock.now()
  const changes = {
    ...(state === 'FINAL' && { observed }),
    ...(opening.nextCheckAt !== undefined && { wokenAt: now, nextCheckAt: now }),
  }
  return Object.keys(changes).length === 0 ? [] : [{ intent: kept(opening, changes), outcomes: [] }]
}
