import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { lessBy } from './difference-of.ts'
import { namesOf } from './intent-names.ts'
import { processedOf, reasonOf } from './reason-of.ts'

/** The outcome of a modification that is final now, from what was observed of its order. */
export function modificationOutcome(intent: Intent, observed: Observation): NewOutcome {
  const { amounts, currency } = intent
  return {
    kind: 'outcome',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: amounts[0] ?? amountSeen(intent, observed),
    // They differ only if an operator takes the status all the same.
    currency: observed.currency ?? currency,
    kept: observed.amount,
    ...reasonOf(observed, observed),
    ...processedOf(observed),
  }
}

/**
 * If the request names no amount, the change of the amount kept tells it; a capture does not change that one. A payout is paid
 * out whole, and gateways may show its amount from the check on, so its amount is the one shown.
 */
function amountSeen({ operation, before }: Intent, { status, amount }: Observation): string | undefined {
  if (operation === 'capture' || status !== 'approved') return undefined
  return operation === 'payoutPay' ? amount : lessBy(before?.amount, amount)
}
