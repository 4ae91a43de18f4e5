import type { Acquirer } from '@tallystick/gateway'
import { hundredths, major } from './money.ts'
import type { Values } from './shop-file.ts'

/** What may be different about a trial's gateway and order. */
export interface TrialSettings {
  readonly amount?: string
  readonly currency?: string
  readonly acquirer?: Acquirer
  readonly clockOffsetMs?: number
  /** The gateway's ids have 19 digits, and are JSON numbers. */
  readonly hasLongIds?: boolean
  readonly isVerbose?: boolean
  readonly values?: Values
  /** What we call the order. */
  readonly order?: string
}

/** What the order of a trial is about. Trials that run beside each other have different amounts, unless they ask for one. */
export function valuesOf({ amount: wanted, currency = 'EUR', values }: TrialSettings, number: number): Values {
  const amount = wanted ?? major(BigInt(AMOUNTS[number % AMOUNTS.length] ?? 0))
  return {
    amount,
    cents: String(hundredths(amount)),
    currency,
    description: 'Tea',
    name: 'John Smith',
    ...values,
  }
}

/**
 * Hundredths from 21.10 to 420.89 that floats hold, also when a part of 5.00 is refunded, or two. Only one scenario is about floats:
 * a shop that counts by them would fail in any other by chance.
 */
const AMOUNTS: readonly number[] = Array.from(
  { length: 400 * 80 },
  (_, index) => (21 + Math.floor(index / 80)) * 100 + 10 + (index % 80),
).filter((amount) => [amount, amount - 500, amount - 1000, 2 * amount].every(isHeldByFloats))

function isHeldByFloats(amount: number): boolean {
  return Number(major(BigInt(amount))) * 100 === amount
}
