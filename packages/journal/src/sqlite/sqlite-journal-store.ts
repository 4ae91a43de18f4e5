import type { DatabaseSync } from 'node:sqlite'
import type { Intent, IntentState, JournalOutcome, JournalStore, StateCounts } from '@tallystick/client'
import { sql } from 'kysely'
import { randomFraction } from '../rims/system.ts'
import { intentOf } from '../schema/intent-columns.ts'
import { queries } from '../schema/queries.ts'
import { Connection, openConnection } from './connection.ts'
import { receiveCallback, strayCallbacks } from './inbox-rows.ts'
import { claimIntents, insertIntent, intentBy, intentsBy, updateIntents, wakeIntents } from './intent-rows.ts'
import { migrate } from './migrate.ts'
import {
  countOpenOutcomes,
  isOpen,
  markHandled,
  nextOutcomeDueAt,
  openOutcomes,
  putOffOutcome,
} from './outcome-rows.ts'
import { Writer } from './writer.ts'

export interface SqliteJournalOptions {
  /** The database file. It may be the one that the shop keeps its own tables in: ours have names of their own. */
  readonly file: string
}

const db = queries.sqlite

/**
 * A journal in a SQLite file, which several processes of one machine may share. Every write is durable when it resolves.
 *
 * The handler's transaction is a connection of its own to the same file, in an open transaction: what it writes there takes
 * effect together with the note that it ran. It must not end that transaction, nor wait for the journal.
 */
export function sqliteJournalStore({ file }: SqliteJournalOptions): JournalStore<DatabaseSync> {
  const connection = openConnection(file)
  migrate(connection)
  const handlers = openConnection(file)
  const writer = new Writer(connection, randomFraction)

  async function handOver(
    outcome: JournalOutcome,
    now: number,
    handler: (transaction: DatabaseSync) => void | Promise<void>,
  ): Promise<'done' | 'not-mine'> {
    return await writer.around(handlers, async () => {
      if (!isOpen(handlers, outcome)) return 'not-mine'
      await handler(handlers.database)
      markHandled(handlers, outcome, now)
      return 'done'
    })
  }

  return {
    durable: true,
    insert: async (intent, transaction) =>
      transaction === undefined
        ? await writer.run((within) => insertIntent(within, intent))
        : insertIntent(new Connection(transaction), intent),
    update: (...changes) => writer.run((within) => updateIntents(within, changes)),
    find: async (intentId) => intentBy(connection, 'intent_id', intentId),
    attemptsOf: async (businessKey) => intentsBy(connection, 'business_key', businessKey),
    ofOrder: async (clientOrderId) => intentsBy(connection, 'client_order_id', clientOrderId),
    claimDue: async (claim) =>
      isAnyDue(connection, claim.now) ? await writer.run((within) => claimIntents(within, claim)) : [],
    nextDueAt: async () => earliest(nextCheckAt(connection), nextOutcomeDueAt(connection)),
    knownOrder: async () => knownOrder(connection),
    noteAnswer: (at) => writer.run((within) => noteAnswer(within, at)),
    lastAnswerAt: async () => connection.get(db.selectFrom('journal_gateway_answers').select('at').compile())?.at,
    receive: (entry, strayLimit) => writer.run((within) => receiveCallback(within, entry, strayLimit)),
    wake: (clientOrderId, at) => writer.run((within) => wakeIntents(within, clientOrderId, at)),
    strays: async (limit) => strayCallbacks(connection, limit),
    openOutcomes: async (now, limit) => openOutcomes(connection, now, limit),
    handOver,
    putOff: (outcome, nextTryAt) => writer.run((within) => putOffOutcome(within, outcome, nextTryAt)),
    counts: async () => counts(connection),
    inStates: async (states, limit) => inStates(connection, states, limit),
    suspectedDoubles: async (limit) => suspectedDoubles(connection, limit),
    countOpenOutcomes: async () => countOpenOutcomes(connection),
    close: async () => {
      await writer.settled()
      handlers.database.close()
      connection.database.close()
    },
  }
}

/** Reading is cheap, and most of the time nothing is due. */
function isAnyDue(connection: Connection, now: number): boolean {
  const due = db
    .selectFrom('journal_intents')
    .select('intent_id')
    .where('next_check_at', '<=', Math.floor(now))
    .limit(1)
  return connection.get(due.compile()) !== undefined
}

function nextCheckAt(connection: Connection): number | undefined {
  const next = db
    .selectFrom('journal_intents')
    .select(
      sql<number | null>`min(case when lease_until > next_check_at then lease_until else next_check_at end)`.as('at'),
    )
  return connection.get(next.where('next_check_at', 'is not', null).compile())?.at ?? undefined
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

function knownOrder(connection: Connection): Intent | undefined {
  const known = db
    .selectFrom('journal_intents')
    .selectAll()
    .where('order_id', 'is not', null)
    .where('observed', 'is not', null)
    .orderBy('looked_at', 'desc')
    .limit(1)
  const row = connection.get(known.compile())
  return row === undefined ? undefined : intentOf({ ...row })
}

function noteAnswer(connection: Connection, at: number): void {
  const noted = { only: 1, at: Math.round(at) }
  const later = sql<number>`case when journal_gateway_answers.at > excluded.at then journal_gateway_answers.at else excluded.at end`
  const upsert = db.insertInto('journal_gateway_answers').values(noted)
  connection.run(upsert.onConflict((conflict) => conflict.column('only').doUpdateSet({ at: later })).compile())
}

function counts(connection: Connection): StateCounts {
  const grouped = db
    .selectFrom('journal_intents')
    .select(['state', sql<number>`count(*)`.as('n')])
    .groupBy('state')
  return Object.fromEntries(connection.all(grouped.compile()).map(({ state, n }) => [state, n]))
}

function inStates(connection: Connection, states: readonly IntentState[], limit: number): readonly Intent[] {
  const found = db
    .selectFrom('journal_intents')
    .selectAll()
    .where('state', 'in', states)
    .orderBy('created_at')
    .limit(limit)
  return connection.all(found.compile()).map((row) => intentOf({ ...row }))
}

function suspectedDoubles(connection: Connection, limit: number): readonly Intent[] {
  const approved = db
    .selectFrom('journal_intents')
    .where('kind', '=', 'opening')
    .where('state', '=', 'FINAL')
    .where('status', '=', 'approved')
  const keys = approved.select('business_key').groupBy('business_key').having(sql`count(*)`, '>', 1)
  const doubles = approved.selectAll().where('business_key', 'in', keys).orderBy('created_at').limit(limit)
  return connection.all(doubles.compile()).map((row) => intentOf({ ...row }))
}
