import type { DueLimits } from '../store.ts'

/** A statement of `Store.pullBack`, with its values in their order. */
export interface PullBackStatement {
  readonly text: string
  readonly values: readonly number[]
}

/**
 * For both databases. Which rows these change is decided by times alone, so that several nodes may do it at once.
 *
 * @param table gives the full name of a table
 * @param slot gives the placeholder of a value, by its place from 1
 */
export function pullBackStatements(
  { now, deliveryWaits, tryWaits, longestMs }: DueLimits,
  table: (name: string) => string,
  slot: (place: number) => string,
): readonly PullBackStatement[] {
  const byCount = (name: string, count: string, where: string, waits: readonly number[]) =>
    waits.map((wait, at) => ({
      text:
        `UPDATE ${table(name)} SET due_at = ${slot(1)} WHERE due_at > ${slot(2)} ` +
        `AND ${count} ${at === waits.length - 1 ? '>=' : '='} ${slot(3)}${where}`,
      values: [Math.round(now + wait), Math.round(now + wait), at],
    }))
  return [
    ...byCount('deliveries', 'made', '', deliveryWaits),
    ...byCount('tasks', 'tried', " AND (kind = 'lookup' OR (kind = 'charge' AND tried > 0))", tryWaits),
    {
      text: `UPDATE ${table('tasks')} SET due_at = ${slot(1)} WHERE due_at > ${slot(2)} AND kind NOT IN ('lookup', 'charge')`,
      values: [Math.round(now), Math.round(now + longestMs)],
    },
  ]
}
