/**
 * Whether a host is called at all. After 5 failures in a row, of whatever deliveries, the gateway puts off all deliveries to
 * the host for a minute, then lets one through. If that fails too it puts them off for two minutes, then four, eight, and ten
 * from then on. A single delivery still keeps to its schedule, whose waits are longer than these.
 */
export interface Breaker {
  /** In a row. */
  readonly failures: number
  /** Nothing is sent before this time. */
  readonly openUntil: number
}

export const CLOSED: Breaker = { failures: 0, openUntil: 0 }

const MAX_FAILURES = 5
const SHORTEST_MS = 60_000
const LONGEST_MS = 600_000
/** No attempt takes longer. */
const PROBE_MS = 15_000

interface Seen {
  /** Whether the host is up, even if it did not acknowledge. */
  readonly isUp: boolean
  readonly begunAt: number
  readonly now: number
}

export function afterAnswer(breaker: Breaker, { isUp, begunAt, now }: Seen): Breaker {
  if (isUp) return CLOSED
  // An attempt that was under way when the breaker opened says nothing new.
  if (rests(breaker, begunAt)) return breaker
  const failures = breaker.failures + 1
  return { failures, openUntil: failures < MAX_FAILURES ? 0 : now + openFor(failures) }
}

interface Moment {
  readonly now: number
  /** How many attempts at the host are under way. */
  readonly underWay: number
  /** From 0 to 1: spreads the deliveries that were put off, so that they do not all come back at once. */
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
 * Whether the host rests at this time; the length of an attempt before the rest counts too. If the end of the rest is further
 * off than that, the clock was set back since it began, and the rest counts as over.
 */
function rests({ failures, openUntil }: Breaker, at: number): boolean {
  return at < openUntil && openUntil - at <= openFor(failures) + PROBE_MS
}

function openFor(failures: number): number {
  return Math.min(SHORTEST_MS * 2 ** (failures - MAX_FAILURES), LONGEST_MS)
}
