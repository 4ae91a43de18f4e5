import type { Intent, IntentEndpoint } from '@tallystick/client'
import type { CompiledQuery, Selectable } from 'kysely'
import { type DialectName, queries } from '../schema/queries.ts'
import type { IntentsTable } from '../schema/tables.ts'
import { intentIn } from './intents.ts'
import { waitingShortly } from './waiting-shortly.ts'
import { change, one, type Work } from './work.ts'

/** When each endpoint last answered for an order that exists. Endpoints and groups are numbered independently. */

export function* knownOrder(dialect: DialectName, endpoint: IntentEndpoint): Work<Intent | undefined> {
  return intentIn(yield* one(lastKnown(dialect, endpoint)))
}

export function lastKnown(
  dialect: DialectName,
  { endpointId, endpointGroupId }: IntentEndpoint,
): CompiledQuery<Selectable<IntentsTable>> {
  return (
    queries[dialect]
      .selectFrom('journal_intents')
      .selectAll()
      .where('endpoint_id', endpointId === undefined ? 'is' : '=', endpointId ?? null)
      .where('endpoint_group_id', endpointGroupId === undefined ? 'is' : '=', endpointGroupId ?? null)
      .where('order_id', 'is not', null)
      .where('observed', 'is not', null)
      .where('looked_at', 'is not', null)
      // All rows of an endpoint are equal in these two. For null PostgreSQL does not see that, and would sort all rows.
      .orderBy('endpoint_id', 'desc')
      .orderBy('endpoint_group_id', 'desc')
      .orderBy('looked_at', 'desc')
      .limit(1)
      .compile()
  )
}

/**
 * All processes write the same row.
 *
 * @throws what the database throws if another process keeps that row locked
 */
export function* noteAnswer(dialect: DialectName, endpoint: IntentEndpoint, at: number): Work<void> {
  yield* waitingShortly(dialect)
  const noted = { at: Math.round(at) }
  const upsert = queries[dialect]
    .insertInto('journal_gateway_answers')
    .values({ ...columnsOf(endpoint), ...noted })
    .onConflict((conflict) => conflict.columns(['endpoint_id', 'endpoint_group_id']).doUpdateSet(noted))
  yield* change(upsert.compile())
}

export function* lastAnswerAt(dialect: DialectName, endpoint: IntentEndpoint): Work<number | undefined> {
  const { endpoint_id, endpoint_group_id } = columnsOf(endpoint)
  const last = queries[dialect]
    .selectFrom('journal_gateway_answers')
    .select('at')
    .where('endpoint_id', '=', endpoint_id)
    .where('endpoint_group_id', '=', endpoint_group_id)
  return (yield* one(last.compile()))?.at
}

/** Deletes answers later than that: they are from before the clock was set back. */
export function* forgetAnswersAfter(dialect: DialectName, latest: number): Work<void> {
  yield* change(queries[dialect].deleteFrom('journal_gateway_answers').where('at', '>', Math.floor(latest)).compile())
}

function columnsOf({ endpointId = '', endpointGroupId = '' }: IntentEndpoint) {
  return { endpoint_id: endpointId, endpoint_group_id: endpointGroupId }
}
