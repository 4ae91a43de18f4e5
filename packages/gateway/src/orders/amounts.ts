import { fromMinorUnits, type Profile, toMinorUnits } from '@tallystick/core'
import { exponentOf, withoutLastZeros } from '@tallystick/core/internal'

/** The currency of orders that move no money and name no currency: "no currency" in ISO 4217. */
export const NO_CURRENCY = 'XXX'

/** Minor units of a validated amount, which fits the decimals of its currency. */
export function minorUnits(amount: string, currency: string, { exponents }: Profile): bigint {
  const digits = toMinorUnits(amount.trim(), exponentOf(currency, exponents))
  if (digits === undefined) throw new TypeError('The amount was not validated')
  return BigInt(digits)
}

/** How long an amount is at most in a request (`Numeric 10`, gaps part 3). */
const LONGEST = 10

/**
 * The amount as replies and callbacks write it, in major units with a dot. One that would be too long with all its decimals has
 * none at its end that are 0, so that whatever was accepted can be sent back: 9999999999, not 9999999999.00.
 */
export function majorUnits(amount: bigint, currency: string, { exponents }: Profile): string | undefined {
  const whole = fromMinorUnits(String(amount), exponentOf(currency, exponents))
  return whole !== undefined && whole.length > LONGEST ? withoutLastZeros(whole) : whole
}

/** Whether every amount up to this one can be written in a request with all its decimals. */
export function isWithinRequests(amount: bigint, currency: string, { exponents }: Profile): boolean {
  return (fromMinorUnits(String(amount), exponentOf(currency, exponents)) ?? '').length <= LONGEST
}
