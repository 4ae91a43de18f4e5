import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { differenceOf } from './difference-of.ts'
import { namesOf } from './intent-names.ts'
import { processedOf, reasonOf } from './reason-of.ts'
import { keptWhenTold } from './remaining-amount.ts'

/** The notice of a change of the order. `modifications`: the changes that the merchant has asked for. */
export function noticeOf(
  intent: Intent,
  before: Observation,
  observed: Observation,
  modifications: readonly Intent[],
): readonly NewOutcome[] {
  const notice: NewOutcome = {
    kind: 'notice',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: differenceOf(keptWhenTold(before, observed, modifications), observed.amount),
    currency: observed.currency ?? intent.currency,
    kept: observed.amount,
    ...reasonOf(observed, observed),
    ...processedOf(observed),
  }
  return [notice]
}
