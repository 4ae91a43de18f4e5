import type { Intent, IntentChange, Observation } from '@tallystick/client'
import { chargedNothing } from '../intents/states.ts'
import { noticesOfPaid } from './original-outcome.ts'

/**
 * What follows if the status shows a payment as approved after the merchant was told that it failed. An order should never leave
 * a final status; if a gateway lets it, the customer was charged, perhaps by the next attempt as well. Notices report the
 * payment, of which nothing was kept before, and what has become of it since. `undefined`: that is not the case.
 */
export function paidAfterAll(
  opening: Intent,
  shown: Observation,
  modifications: readonly Intent[],
): IntentChange | undefined {
  if (!chargedNothing(opening) || shown.status !== 'approved') return undefined
  const paid = { ...opening, status: shown.status }
  return { intent: paid, outcomes: noticesOfPaid(paid, shown, { modifications }) }
}
