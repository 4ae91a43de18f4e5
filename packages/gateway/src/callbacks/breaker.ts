/**
 * Whether a host is called at all. After 5 failures in a row, of whatever deliveries, its deliveries are put off for a
 * minute, then one is let through: if that fails too, for two minutes, four, eight, and ten from then on. With one
 * delivery alone, these are shorter than its own waits: it keeps to the schedule.
 */
export interface Breaker {
  /** In a row. */
  readonly failures: number
  /** Nothing is sent before. */
  readonly openUntil: number
}

export const CLOSED: Breaker = { failures: 0, openUntil: 0 }

const MAX_FAILURES = 5
const SHORTEST_MS = 60_000
const LONGEST_MS = 600_000
/** An attempt takes no longer. */
const PROBE_MS = 15_000

export interface Seen {
  /** Whether the host is there, also where it did not acknowledge. */
  readonly isUp: boolean
  readonly begunAt: number
  readonly now: number
}

export function afterAnswer(breaker: Breaker, { isUp, begunAt, now }: Seen): Breaker {
  if (isUp) return CLOSED
  // Those that were under way when it opened tell nothing new.
  if (rests(breaker, begunAt)) return breaker
  const failures = breaker.failures + 1
  return { failures, openUntil: failures < MAX_FAILURES ? 0 : now + openFor(failures) }
}

export interface Moment {
  readonly now: number
  /** How many attempts at the host are under way. */
  readonly underWay: number
  /** From 0 to 1: spreads what was put off, so that it does not come back at once. */
  readonly fraction: number
}

/** Until when a delivery is put off; `undefined`: it may be sent. */
export function putOffUntil(breaker: Breaker, { now, underWay, fraction }: Moment): number | undefined {
  const { failures, openUntil } = breaker
  if (failures < MAX_FAILURES) return undefined
  if (rests(breaker, now)) return Math.round(openUntil + fraction * openFor(failures))
  return underWay === 0 ? undefined : Math.round(now + PROBE_MS * (1 + fraction))
}

/**
 * Whether a time lies in the rest, or less than an attempt before it. A rest whose end is further off than that was begun
 * before the clock was set back: it counts as over.
 */
function rests({ failures, openUntil }: Breaker, at: number): boolean {
  return at < openUntil && openUntil - at <= openFor(failures) + PROBE_MS
}

function openFor(failures: number): number {
  return Math.min(SHORTEST_MS * 2 ** (failures - MAX_FAILURES), LONGEST_MS)
}
