import type { Intent, IntentChange, Observation } from '@tallystick/client'
import { chargedNothing } from '../states.ts'
import { openingOutcomes } from './opening.ts'

/**
 * What follows where a payment of which the merchant was told that it had come to nothing is shown to be approved. An order does
 * not leave a final status; where a gateway lets it, the customer was charged, and perhaps by the next attempt as well. The
 * merchant is told of the payment, of which nothing was kept before, and of what has become of it since. `undefined`: it is not so.
 */
export function paidAfterAll(
  opening: Intent,
  shown: Observation,
  modifications: readonly Intent[],
): IntentChange | undefined {
  if (!chargedNothing(opening) || shown.status !== 'approved') return undefined
  const paid = { ...opening, status: shown.status }
  const told = openingOutcomes(paid, shown, { modifications })
  return { intent: paid, outcomes: told.map((outcome) => ({ ...outcome, kind: 'notice' })) }
}
