import type { DueHorizon, Intent, IntentClaim, IntentRenewal } from '@tallystick/client'
import { type CompiledQuery, sql } from 'kysely'
import { NO_LEASE_MS } from '../../background/lease.ts'
import { earliest } from '../../runtime/earliest.ts'
import { rowOf } from '../schema/intent-columns.ts'
import { type DialectName, queries } from '../schema/queries.ts'
import { intentsIn } from './intents.ts'
import { nextOutcomeDueAt } from './outcomes.ts'
import { skippingLocked } from './skip-locked.ts'
import { all, change, one, type Work } from './work.ts'

/** Whether a claim would find any. Reading is cheap, and most of the time nothing is due. */
export function* isAnyDue(dialect: DialectName, claim: DueClaim): Work<boolean> {
  return (yield* one(dueIntents(dialect, claim).select('intent_id').limit(1).compile())) !== undefined
}

type DueClaim = Pick<IntentClaim, 'now' | 'watched'>

/** The column with the time of the check that a claim is for. */
export function dueColumn({ watched = false }: Pick<IntentClaim, 'watched'>): 'watch_at' | 'next_check_at' {
  return watched ? 'watch_at' : 'next_check_at'
}

/** The intents whose check is due and that are not leased. */
export function dueIntents(dialect: DialectName, claim: DueClaim) {
  const at = Math.floor(claim.now)
  return queries[dialect]
    .selectFrom('journal_intents')
    .where(dueColumn(claim), '<=', at)
    .where(({ or, eb }) =>
      or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', at),
        ...(claim.watched ? [eb('lease_until', '>', at + NO_LEASE_MS)] : []),
      ]),
    )
}

/** Leases what is due. The lease makes a new version: a process that read the intent before has to read it again. */
export function* claimIntents(dialect: DialectName, claim: IntentClaim): Work<readonly Intent[]> {
  const { leaseUntil, owner, limit } = claim
  const due = dueIntents(dialect, claim).selectAll().orderBy(dueColumn(claim)).orderBy('created_at').limit(limit)
  const rows = yield* all(skippingLocked(dialect, due).compile())
  const leased = intentsIn(rows).map((intent) => ({
    ...intent,
    leaseUntil,
    leaseOwner: owner,
    version: intent.version + 1,
  }))
  const [first] = leased
  if (first === undefined) return []
  const { lease_until, lease_owner } = rowOf(first)
  const lease = queries[dialect]
    .updateTable('journal_intents')
    .set(({ eb }) => ({ lease_until, lease_owner, version: eb('version', '+', 1) }))
    .where(
      'intent_id',
      'in',
      leased.map(({ intentId }) => intentId),
    )
  yield* change(lease.compile())
  return leased
}

export function* renewIntents(dialect: DialectName, { intentIds, owner, leaseUntil }: IntentRenewal): Work<void> {
  if (intentIds.length === 0) return
  const held = queries[dialect]
    .selectFrom('journal_intents')
    .select('intent_id')
    .where('intent_id', 'in', intentIds)
    .where('lease_owner', '=', owner)
  const rows = yield* all(skippingLocked(dialect, held).compile())
  if (rows.length === 0) return
  const renewed = queries[dialect]
    .updateTable('journal_intents')
    .set({ lease_until: Math.round(leaseUntil) })
    .where(
      'intent_id',
      'in',
      rows.map(({ intent_id }) => intent_id),
    )
  yield* change(renewed.compile())
}

/** When something is due next: a status check or an outcome. */
export function* nextDueAt(dialect: DialectName, { until, withOutcomes }: DueHorizon): Work<number | undefined> {
  const check = (yield* one(nextCheckDue(dialect, until)))?.at ?? undefined
  return earliest([check, withOutcomes ? yield* nextOutcomeDueAt(dialect) : undefined])
}

/** Only intents that are due by `until` are searched: those that are watched may be many. */
export function nextCheckDue(dialect: DialectName, until: number): CompiledQuery<{ at: number | null }> {
  return queries[dialect]
    .selectFrom('journal_intents')
    .select(
      sql<number | null>`min(case when lease_until > next_check_at then lease_until else next_check_at end)`.as('at'),
    )
    .where('next_check_at', '<=', Math.floor(until))
    .compile()
}
