/** How far the clocks of two machines may be apart, as the README has it. */
export const CLOCKS_APART_MS = 3000

/** Whether a time that was noted lies further ahead than that: it is from before the clock was set back. */
export function isAhead(at: number | undefined, now: number): boolean {
  return at !== undefined && at > now + CLOCKS_APART_MS
}
