import { fromMinorUnits, toMinorUnits } from '@tallystick/core'

/** The currencies of this shop have cents. */
const DECIMALS = 2

/** An amount in major units as cents, or `undefined` if it is no amount. Works on the text, because floats lose cents. */
export function toMinor(amount: string): bigint | undefined {
  const digits = toMinorUnits(amount.trim(), DECIMALS)
  return digits === undefined ? undefined : BigInt(digits)
}

/** In major units, as the interface expects it: `1042n` is `10.42`. */
export function toMajor(minor: bigint): string {
  return fromMinorUnits(String(minor), DECIMALS) ?? ''
}

/** As people read it: `$10.42`. */
export function showMoney(minor: bigint, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  // `Intl` reads a decimal text exactly.
  return format.format(toMajor(minor) as `${number}`)
}
