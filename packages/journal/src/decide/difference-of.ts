/** By how much what is kept has changed, in minor units. */
export function differenceOf(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const difference = BigInt(after) - BigInt(before)
  return String(difference < 0n ? -difference : difference)
}

/** By how much what is kept has become less. `undefined`: it has not, so that the gateway must show something else. */
export function lessBy(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const less = BigInt(before) - BigInt(after)
  return less > 0n ? String(less) : undefined
}
