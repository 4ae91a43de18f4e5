import type { Intent } from '@tallystick/client/ports'
import type { Journal, ReviewDecision } from '@tallystick/journal'
import { keyText } from '../../../journal/src/intents/business-key.ts'
import { carriedOut } from './deeds.ts'
import type { Effects } from './mortal.ts'
import type { World } from './world.ts'

/** After this time no request is on its way any more. */
const OVER_MS = 16 * 60_000
/** Later the status checks are so far apart that the schedule ends before they decide. */
const ASKED_WITHIN_MS = 30 * 60_000

/** Acts as an operator who looks at the bank's book and settles what is in review. */
export async function settleReviews(journal: Journal<Effects>, world: World): Promise<void> {
  for (const errand of world.errands) {
    for (const step of [errand.opening, ...errand.others]) {
      const last = (await world.store.attemptsOf(keyText(step.key))).at(-1)
      if (last?.state !== 'REVIEW' || world.random.below(3) === 0) continue
      const isDone = carriedOut(step, await world.orders.orderById(last.orderId ?? ''), world).length > 0
      const decision = decisionOf(last, isDone, world)
      if (decision !== undefined)
        await journal.resolveReview(last.intentId, decision, 'seen at the bank').catch(onlyMisuse)
    }
  }
}

function decisionOf({ sentAt = 0 }: Intent, isDone: boolean, { random, clock }: World): ReviewDecision | undefined {
  const age = clock.now() - sentAt
  if (age < ASKED_WITHIN_MS && random.below(2) === 0) return 'ask-again'
  if (isDone) return 'take-status'
  return age > OVER_MS ? 'nothing-charged' : undefined
}

/** Accepts only a TypeError: the status shows no outcome of the intent, and a later round decides it. */
function onlyMisuse(error: unknown): void {
  if (!(error instanceof TypeError)) throw error
}
