/** How long the other side is given before each try; after the last of these a day each. */
const WAITS: readonly number[] = [60_000, 300_000, 900_000, 3_600_000, 21_600_000]
const DAY_MS = 86_400_000
/** After so many it is left to a person. */
export const MOST_TRIES = 30

/** How long to wait before something is tried again that was tried so many times before. */
export function waitBeforeTry(tried: number): number {
  return WAITS[tried] ?? DAY_MS
}
