import type { Attempt } from './attempt.ts'
import { isOver } from './derive-order.ts'
import { defineRules } from './state-rule.ts'

/** The rules about actions on an order, in the order in which they apply: the first refusal counts. */
export const ACTION_RULES = defineRules<Attempt>()([
  {
    id: 'G13-19',
    source: 'gaps part 13, what a return of a preauth order is',
    text:
      'A return of a preauth order depends on its captures: with none it is a full cancel, with any a reversal of ' +
      'captured funds.',
    appliesTo: ['return'],
  },
  {
    id: 'S3-04',
    source: 'interface part 3, rule 4',
    text: 'A return of a preauth is a cancel that releases the hold; of a sale or capture, a reversal or refund.',
    appliesTo: ['return'],
  },
  {
    id: 'G12-07',
    source: 'gaps part 12, C7',
    text: 'Void is accepted for a preauth, a sale and a capture before settlement.',
    appliesTo: ['void'],
  },
  {
    id: 'S3-06',
    source: 'interface part 3, rule 6',
    text: 'Return is allowed only if the original transaction is in a final successful status.',
    appliesTo: ['return'],
    refuses: originalNotApproved,
  },
  {
    id: 'final-original',
    source: 'gaps part 3.2, capture and void',
    text: 'Capture and void are allowed only if the original transaction is finally approved.',
    appliesTo: ['capture', 'void'],
    refuses: originalNotApproved,
  },
  {
    id: 'S3-07',
    source: 'interface part 3, rule 7',
    text: 'payout-check registers the payout without releasing funds. payout-pay then executes it in full.',
    appliesTo: ['pay'],
    refuses: (attempt) =>
      attempt.order.opening.status === 'approved' ? namesPart(attempt) : 'the payout-check has not succeeded',
  },
  {
    id: 'pay-once',
    source: 'interface part 3, rule 7 (once: our reading)',
    text: 'A checked payout is paid only once, whatever the outcome: to try again, check again.',
    appliesTo: ['pay'],
    refuses: ({ order }) =>
      order.operations.some(({ kind }) => kind === 'payout-pay') ? 'the payout has been executed before' : undefined,
  },
  {
    id: 'check-expiry',
    source: 'ours: what a check found does not hold for ever',
    text: 'A payout-check can be paid for `payoutCheckFor` after its approval. Then it ends as declined: check again.',
    appliesTo: ['pay', 'status'],
    refuses: ({ at, order }) =>
      isOver(order.checkExpiresAt, at) ? 'the payout-check has expired: check again, under a new order id' : undefined,
  },
  {
    id: 'one-in-flight',
    source: 'ours: a capture, void or return has no id to check its status by',
    text:
      'While an operation has no outcome, no other modification may draw on the same funds. A chargeback may, ' +
      'because the issuer does not ask.',
    appliesTo: ['capture', 'void', 'return', 'release'],
    refuses: ({ order, fund }) =>
      order.inFlight[fund] > 0n ? 'an operation that draws on the same funds has no outcome yet' : undefined,
  },
  {
    id: 'S3-01',
    source: 'interface part 3, rule 1',
    text: 'A preauth keeps funds on hold until they are captured or released.',
    appliesTo: ['capture', 'void', 'return', 'release'],
    refuses: ({ fund, available }) => (fund === 'hold' && available === 0n ? 'nothing is on hold any more' : undefined),
  },
  {
    id: 'G13-17',
    source: 'gaps part 13, settlement',
    text: "An authorization's hold expires `holdFor` after its approval. It is released then, not earlier.",
    appliesTo: ['capture', 'void', 'return', 'release'],
    refuses: (attempt) => wrongSideOfExpiry(attempt) ?? (attempt.action === 'release' ? namesPart(attempt) : undefined),
  },
  {
    id: 'G13-18',
    source: 'gaps part 13, what a void is',
    text: 'A void of a sale or capture reverses it in full; after a partial capture it cancels what is not captured.',
    appliesTo: ['void'],
    refuses: ({ fund, order }) =>
      fund === 'taken' && order.kept !== order.captured
        ? 'a part was returned already, so it cannot be reversed in full: return the rest'
        : undefined,
  },
  {
    id: 'S3-03',
    source: 'interface part 3, rule 3',
    text: 'Void cancels a transaction that is authorized but not settled. Void has no partial amount.',
    appliesTo: ['void'],
    refuses: (attempt) => (isSettled(attempt) ? 'the funds are settled: return them' : namesPart(attempt)),
  },
  {
    id: 'S3-02',
    source: 'interface part 3, rule 2',
    text: 'Capture references a preauth. It may be partial if amount and currency are supplied.',
    appliesTo: ['capture'],
    refuses: amountWithoutCurrency,
  },
  {
    id: 'S3-05',
    source: 'interface part 3, rule 5',
    text: 'Return is partial if amount and currency are supplied. Omitting them makes it a full reversal.',
    appliesTo: ['return'],
    refuses: amountWithoutCurrency,
  },
  {
    id: 'order-money',
    source: 'gaps part 3 (amounts), part 3.4 (currency)',
    text: "An amount is above zero and in the order's currency.",
    appliesTo: ['capture', 'void', 'return', 'pay', 'chargeback', 'release'],
    refuses: ({ amount, currency, order }) => {
      if (currency !== undefined && currency !== order.currency) return `the currency of the order is ${order.currency}`
      return amount !== undefined && amount <= 0n ? 'the amount must be above zero' : undefined
    },
  },
  {
    id: 'G3.2-14',
    source: 'gaps part 3.2, return rules',
    text: 'A return of more than the initial amount is refused, and so is a partial cancel of a preauth.',
    appliesTo: ['return'],
    refuses: (attempt) => {
      const { amount = 0n, order } = attempt
      return amount > order.opening.amount ? 'the amount exceeds the initial amount' : namesPart(attempt)
    },
  },
  {
    id: 'G5-07',
    source: 'gaps part 5, allowed moves',
    text: 'Captures together stay within the preauth, and reversals within what was captured or sold.',
    appliesTo: ['capture', 'return'],
    refuses: ({ fund, amount = 0n, available, order }) => {
      const place = fund === 'hold' ? 'hold' : 'the order'
      if (available === 0n && fund === 'taken' && order.held > 0n) return HOLD_IS_LEFT
      if (available === 0n) return `nothing is left on ${place}`
      return amount > available ? `the amount exceeds what is left on ${place}` : undefined
    },
  },
  {
    id: 'G13-22',
    source: 'gaps part 13, chargeback',
    text: 'A chargeback is possible only against captured or sold funds.',
    appliesTo: ['chargeback'],
    refuses: ({ amount = 0n, available, order }) => {
      if (available > 0n && amount <= available) return undefined
      // If it were refused for good and the return then failed, a chargeback that has happened would be missing.
      if (available < order.kept && amount <= order.kept)
        return 'a return of them has no outcome yet: try again after it'
      if (available === 0n) return 'no captured or sold funds are left'
      return 'the amount exceeds the captured or sold funds that are left'
    },
  },
])

/** A return of a preauth with captures is one of what was captured (rule G13-19), so it cannot mean the rest of the hold. */
const HOLD_IS_LEFT = 'nothing that was captured is left to return, but a part is still on hold: void it'

function originalNotApproved({ order }: Attempt): string | undefined {
  return order.opening.status === 'approved'
    ? undefined
    : 'the original transaction is not in a final successful status'
}

function namesPart({ amount, available, partial }: Attempt): string | undefined {
  return partial || amount === undefined || amount === available
    ? undefined
    : 'only the whole of what is left is possible: leave the amount out'
}

function amountWithoutCurrency({ amount, currency }: Attempt): string | undefined {
  return (amount === undefined) === (currency === undefined) ? undefined : 'amount and currency come together'
}

/** A release waits for the expiry; everything else that draws on the hold comes before it. */
function wrongSideOfExpiry({ action, at, fund, order }: Attempt): string | undefined {
  if (fund !== 'hold') return undefined
  const expired = isOver(order.holdExpiresAt, at)
  if (action === 'release') return expired ? undefined : 'the hold has not expired yet'
  return expired ? 'the hold has expired' : undefined
}

/** Whether any of the funds that a void would reverse is settled. */
function isSettled({ at, fund, order }: Attempt): boolean {
  return fund === 'taken' && order.settlements.some(({ settlesAt }) => at >= settlesAt)
}
