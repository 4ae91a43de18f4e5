/** How long to give the other side before each try. After the last of these, a day each. */
const WAITS: readonly number[] = [60_000, 300_000, 900_000, 3_600_000, 21_600_000]
const DAY_MS = 86_400_000
/** By how often it was tried. The last is for all above. */
export const TRY_WAITS: readonly number[] = [...WAITS, DAY_MS]
/** After so many tries it is left to the operator. */
export const MOST_TRIES = 30

/** How long to wait before the next try, after `tried` tries. */
export function waitBeforeTry(tried: number): number {
  return WAITS[tried] ?? DAY_MS
}
