/** By how much the amount kept has changed, in minor units, without a sign. */
export function differenceOf(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const difference = BigInt(after) - BigInt(before)
  return String(difference < 0n ? -difference : difference)
}

/**
 * By how much the amount kept has become less. `undefined`: an amount is not known, or it has not, so it must mean something
 * else.
 */
export function lessBy(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const less = BigInt(before) - BigInt(after)
  return less > 0n ? String(less) : undefined
}
