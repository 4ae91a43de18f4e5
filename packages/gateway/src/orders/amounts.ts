import { exponentOf, fromMinorUnits, type Profile, toMinorUnits } from '@tallystick/core'

/** The currency of orders that move no money and name no currency: "no currency" in ISO 4217. */
export const NO_CURRENCY = 'XXX'

/** Minor units of a validated amount, which fits the decimals of its currency. */
export function minorUnits(amount: string, currency: string, { exponents }: Profile): bigint {
  const digits = toMinorUnits(amount.trim(), exponentOf(currency, exponents))
  if (digits === undefined) throw new TypeError('The amount was not validated')
  return BigInt(digits)
}

/** The amount as replies and callbacks write it, in major units with a dot. */
export function majorUnits(amount: bigint, currency: string, { exponents }: Profile): string | undefined {
  return fromMinorUnits(String(amount), exponentOf(currency, exponents))
}
