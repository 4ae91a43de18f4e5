import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { lessBy } from './difference-of.ts'
import { namesOf } from './intent-names.ts'

/** What the merchant is told of a modification that is final now, by what was observed of the order. */
export function modificationOutcome(intent: Intent, observed: Observation): NewOutcome {
  const { amounts, currency } = intent
  return {
    kind: 'outcome',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: amounts[0] ?? amountSeen(intent, observed),
    currency: currency ?? observed.currency,
    kept: observed.amount,
  }
}

/**
 * Where the request does not say, what is kept tells how much it was; a capture leaves that as it is. A payout leaves whole:
 * gateways may show its amount from the check on.
 */
function amountSeen({ operation, before }: Intent, { status, amount }: Observation): string | undefined {
  if (operation === 'capture' || status !== 'approved') return undefined
  return operation === 'payoutPay' ? amount : lessBy(before?.amount, amount)
}
