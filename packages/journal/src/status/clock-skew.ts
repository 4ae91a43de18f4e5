/** How far apart the clocks of two machines may be, as the README says. */
export const CLOCKS_APART_MS = 3000

/** Whether a stored time lies further ahead than that: then it was written before the clock was set back. */
export function isAhead(at: number | undefined, now: number): boolean {
  return at !== undefined && at > now + CLOCKS_APART_MS
}
