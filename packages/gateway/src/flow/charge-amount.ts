import type { RecurringAmount } from '../store/recurring-payment.ts'

/**
 * What the charge of this number takes, in minor units (gaps part 3.4). A range is drawn from anew for each charge, both
 * ends included.
 *
 * The last amount of a sequence is repeated: the schedule alone says when charging ends, and a sequence such as
 * `1.00,1.00,9.99` is the price of the first charges and then the price. A merchant that wants as many charges as
 * amounts gives a finish date. No public source says either.
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
