import type { RecurringAmount } from '../store/recurring-payment.ts'

/**
 * The amount of the charge with this number, in minor units (gaps part 3.4). From a range, each charge draws a new amount,
 * both ends included.
 *
 * The last amount of a sequence repeats: only the schedule says when charging ends, and a sequence such as `1.00,1.00,9.99` is
 * the price of the first charges, then the regular price. Merchants that want as many charges as amounts give a finish date.
 * No public source says so, or otherwise.
 */
export function chargeAmount(amount: RecurringAmount, number: number, fraction: () => number): bigint {
  switch (amount.kind) {
    case 'fixed':
      return amount.amount
    case 'range':
      return amount.from + BigInt(Math.floor(fraction() * Number(amount.to - amount.from + 1n)))
    case 'sequence':
      return amount.amounts[Math.min(number, amount.amounts.length) - 1] ?? 0n
  }
}
