import { LONGEST_DAY_MS, wronglyPutOff } from '../due-times.ts'
import type { DueLimits } from '../store.ts'

/** A statement of `Store.pullBack`, with its values in their order. */
export interface PullBackStatement {
  readonly text: string
  readonly values: readonly number[]
}

export interface PullBackDialect {
  /** The full name of a table. */
  readonly table: (name: string) => string
  /** The placeholder of a value, by its place from 1. */
  readonly slot: (place: number) => string
  /** When a day begins that a column has as `YYYY-MM-DD`, in seconds since 1970. */
  readonly dayOf: (column: string) => string
}

/** For both databases. Which rows these change is decided by times alone, so that several nodes may do it at once. */
export function pullBackStatements(
  limits: DueLimits,
  { table, slot, dayOf }: PullBackDialect,
): readonly PullBackStatement[] {
  const { now, deliveryWaits, tryWaits, longestMs } = limits
  const { after, until } = wronglyPutOff(limits)
  const byCount = (name: string, count: string, where: string, waits: readonly number[]) =>
    waits.map((wait, at) => ({
      text:
        `UPDATE ${table(name)} SET due_at = ${slot(1)} WHERE due_at > ${slot(2)} ` +
        `AND ${count} ${at === waits.length - 1 ? '>=' : '='} ${slot(3)}${where}`,
      values: [Math.round(now + wait), Math.round(now + wait), at],
    }))
  return [
    ...byCount('deliveries', 'made', '', deliveryWaits),
    ...byCount('tasks', 'tried', ` AND (kind = 'lookup' OR (kind = 'charge' AND tried > 0))`, tryWaits),
    {
      text:
        `UPDATE ${table('tasks')} SET due_at = ${slot(1)} WHERE kind <> 'lookup' AND due_at > ${slot(2)} AND (due_at <= ${slot(3)} ` +
        `OR (kind <> 'charge' AND due_at > ${slot(4)}) OR (kind = 'charge' AND due_at > ${dayOf('charge_date')} * 1000 + ${slot(5)}))`,
      values: [now, after, until, now + longestMs, LONGEST_DAY_MS].map(Math.round),
    },
  ]
}
