import { sql } from 'kysely'
import type { ClockSetBack } from '../../runtime/clock-set-back.ts'
import { LONGEST_WATCH_WAIT_MS } from '../../status/watch.ts'
import { type DialectName, queries } from '../schema/queries.ts'
import { forgetAnswersAfter } from './gateway-answers.ts'
import { putBackOutcomes } from './outcomes.ts'
import { waitingShortly } from './waiting-shortly.ts'
import { change, type Work } from './work.ts'

/** Pulls back times that were written before the clock was set back: until they have come, nothing would be done. */
export function* pullBack(dialect: DialectName, setBack: ClockSetBack): Work<void> {
  const times = timesOf(setBack)
  yield* waitingShortly(dialect)
  yield* change(intentsFromBefore(dialect, times).compile())
  yield* change(straysFromBefore(dialect, times).compile())
  yield* change(watchedFromBefore(dialect, times).compile())
  yield* change(watchedStraysFromBefore(dialect, times).compile())
  yield* putBackOutcomes(dialect, times.now, times.latest + setBack.putOffMs)
  yield* forgetAnswersAfter(dialect, times.latest)
}

/** The times in whole milliseconds, as in the tables. */
function timesOf({ now, latest, leaseMs }: ClockSetBack) {
  const [at, last] = [Math.floor(now), Math.floor(latest)]
  return { now: at, latest: last, latestLease: last + leaseMs, leaseUntil: at + leaseMs }
}

type Times = ReturnType<typeof timesOf>

/**
 * The new version makes a process that is about to write one of them read it again, as after a callback. Leases do not end at
 * once: a process that lives renews its lease before it lapses.
 */
function intentsFromBefore(dialect: DialectName, { now, latest, latestLease, leaseUntil }: Times) {
  return queries[dialect]
    .updateTable('journal_intents')
    .set(({ eb }) => ({
      next_check_at: sql<number>`case when next_check_at < ${now} then next_check_at else ${now} end`,
      woken_at: sql<number | null>`case when woken_at > ${latest} then ${now} else woken_at end`,
      lease_until: shortened(latestLease, leaseUntil),
      version: eb('version', '+', 1),
    }))
    .where('next_check_at', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('sent_at', '>', latest),
        eb('looked_at', '>', latest),
        eb('woken_at', '>', latest),
        eb('lease_until', '>', latestLease),
      ]),
    )
}

/** Stray orders are checked from now on, by the schedule from its beginning. */
function straysFromBefore(dialect: DialectName, { now, latest, latestLease, leaseUntil }: Times) {
  return queries[dialect]
    .updateTable('journal_stray_orders')
    .set({ next_check_at: now, woken_at: now, lease_until: shortened(latestLease, leaseUntil) })
    .where('next_check_at', 'is not', null)
    .where(({ or, eb }) => or([eb('woken_at', '>', latest), eb('lease_until', '>', latestLease)]))
}

/** Those that are watched may be very many: only times that nobody plans are searched for, by their index. */
function watchedFromBefore(dialect: DialectName, { now }: Times) {
  return queries[dialect]
    .updateTable('journal_intents')
    .set(({ eb }) => ({ watch_at: now, version: eb('version', '+', 1) }))
    .where('watch_at', '>', now + LONGEST_WATCH_WAIT_MS)
}

function watchedStraysFromBefore(dialect: DialectName, { now }: Times) {
  return queries[dialect]
    .updateTable('journal_stray_orders')
    .set({ watch_at: now })
    .where('watch_at', '>', now + LONGEST_WATCH_WAIT_MS)
}

function shortened(latestLease: number, leaseUntil: number) {
  return sql<number | null>`case when lease_until > ${latestLease} then ${leaseUntil} else lease_until end`
}
