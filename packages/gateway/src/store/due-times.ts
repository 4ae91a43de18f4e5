import type { Change, DueLimits } from './store.ts'

/** When the deliveries and tasks of a change are due. */
export function dueTimes({ deliveries = [], attempts = [], tasks = [] }: Change): readonly number[] {
  const due = [...deliveries, ...attempts.map(({ delivery }) => delivery), ...tasks]
  return due.flatMap(({ dueAt }) => dueAt ?? [])
}

/** Machines may be a minute apart. */
const APART_MS = 60_000
/** The last zone's day ends this long after the day begins in UTC. */
export const LONGEST_DAY_MS = 36 * 3_600_000

/** After this, a charge that was not tried is later than its date. */
export function latestCharge(date: string): number {
  return Date.parse(date) + LONGEST_DAY_MS
}

/** From when to when a task was claimed or put off by a time that has been corrected, if it was. */
export function wronglyPutOff({ now, believed, leaseMs }: DueLimits): {
  readonly after: number
  readonly until: number
} {
  return { after: now + leaseMs + APART_MS, until: believed + leaseMs }
}
