import { fromMinorUnits, toMinorUnits } from '@tallystick/core'

/** The currencies of this shop have cents. */
const DECIMALS = 2

/** Cents of an amount in major units, or `undefined` where it is none. Counted on the text: floats lose cents. */
export function toMinor(amount: string): bigint | undefined {
  const digits = toMinorUnits(amount.trim(), DECIMALS)
  return digits === undefined ? undefined : BigInt(digits)
}

/** As the interface takes it: `1042n` is `10.42`. */
export function toMajor(minor: bigint): string {
  return fromMinorUnits(String(minor), DECIMALS) ?? ''
}

/** As people read it: `$10.42`. */
export function showMoney(minor: bigint, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  // `Intl` reads a decimal text exactly.
  return format.format(toMajor(minor) as `${number}`)
}
