import { type AmountText, type Exponents, fromMinorUnits } from '@tallystick/core'
import { exponentOf } from '@tallystick/core/internal'

/** An amount as text in major units, with its currency: `{ amount: '10.42', currency: 'EUR' }`. Goes in and comes out like this. */
export interface Money {
  /** In major units, never a number: `'10.42'`. */
  readonly amount: AmountText
  /** ISO 4217: `'EUR'`. */
  readonly currency: string
}

/** `'1042'` of EUR as `'10.42'`. The journal writes only digits, so anything else stays away. */
export function inMajorUnits(
  minorUnits: string | undefined,
  currency: string | undefined,
  exponents: Exponents,
): string | undefined {
  return minorUnits === undefined ? undefined : fromMinorUnits(minorUnits, exponentOf(currency, exponents))
}
