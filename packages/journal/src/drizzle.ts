import type { JournalStore } from '@tallystick/client/ports'
import { is, SQL, type SQLChunk, StringChunk } from 'drizzle-orm'
import {
  MySqlDatabase,
  type MySqlQueryResultHKT,
  type MySqlTransaction,
  type PreparedQueryHKTBase,
} from 'drizzle-orm/mysql-core'
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core'
import type { TablesRelationalConfig } from 'drizzle-orm/relations'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { betterSqlite3JournalStore } from './better-sqlite3.ts'
import { isTransactionSql, refusing, whileOpen } from './store/postgres/postgres-js-transaction.ts'
import { connectionsIn } from './store/session/connections.ts'
import type { InSchema } from './store/session/in-schema.ts'
import { answerOf, dialectOf, sessionJournalStore } from './store/session/session-journal-store.ts'

/**
 * A journal in the PostgreSQL database of the shop's Drizzle, on node-postgres, postgres.js or another driver with transactions. Its
 * handler gets the `tx` of `db.transaction`. The shop ends its driver after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function drizzleJournalStore<
  Result extends PgQueryResultHKT,
  Schema extends Record<string, unknown>,
  Tables extends TablesRelationalConfig,
>(db: PgDatabase<Result, Schema, Tables>, options?: InSchema): JournalStore<PgTransaction<Result, Schema, Tables>>
/** The same in MySQL or MariaDB, on mysql2. */
export function drizzleJournalStore<
  Result extends MySqlQueryResultHKT,
  Prepared extends PreparedQueryHKTBase,
  Schema extends Record<string, unknown>,
  Tables extends TablesRelationalConfig,
>(
  db: MySqlDatabase<Result, Prepared, Schema, Tables>,
  options?: InSchema,
): JournalStore<MySqlTransaction<Result, Prepared, Schema, Tables>>
/**
 * In the SQLite file of a shop on better-sqlite3: the handler gets a database with the same schema, on a connection of the journal
 * with an open transaction.
 */
export function drizzleJournalStore<
  Database extends object,
  Result,
  Schema extends Record<string, unknown>,
  Tables extends TablesRelationalConfig,
>(db: Database & BaseSQLiteDatabase<'sync', Result, Schema, Tables>): JournalStore<Database>
export function drizzleJournalStore(db: unknown, options: InSchema = {}): unknown {
  if (is(db, BaseSQLiteDatabase)) return onBetterSqlite3(db as unknown as SqliteDrizzle)
  return onServer(db as Drizzle, options)
}

function onServer(db: Drizzle, options: InSchema): JournalStore<Executor> {
  return sessionJournalStore<Executor>(
    {
      caller: 'drizzleJournalStore',
      dialect: is(db, MySqlDatabase) ? 'mysql' : 'postgresql',
      connections: connectionsIn('$client' in db ? db.$client : undefined),
      run: async (text, values, transaction) => answerOf(await (transaction ?? db).execute(statementOf(text, values))),
      transaction: (work) =>
        whileOpen(
          (within: typeof work) => db.transaction(within, { isolationLevel: 'read committed' }),
          (transaction, isOver) => work(refusingOnPostgresJs(transaction, isOver)),
        ),
    },
    options,
  )
}

/** Its transaction has that of its driver in a session of its own. */
function refusingOnPostgresJs(transaction: Executor, isOver: () => boolean): Executor {
  const { session } = transaction as { readonly session?: { client?: unknown } }
  if (isTransactionSql(session?.client)) session.client = refusing(session.client, isOver)
  return transaction
}

interface Executor {
  execute(statement: ReturnType<typeof statementOf>): PromiseLike<unknown>
}

/** What its databases have in common. */
interface Drizzle extends Executor {
  transaction<Result>(
    work: (transaction: Executor) => Promise<Result>,
    settings: { readonly isolationLevel: 'read committed' },
  ): Promise<Result>
}

/** Drizzle numbers the values itself, in the order of the text. Each text is taken apart once. */
function statementOf(text: string, values: readonly unknown[]): SQL {
  const [first, ...others] = pieces.get(text) ?? takenApart(text)
  return new SQL([first, ...others.flatMap((piece, at) => [values[at], piece])] as SQLChunk[])
}

const pieces = new Map<string, readonly StringChunk[]>()
/** The texts differ in how many values a list has. */
const MOST_TEXTS = 1000

function takenApart(text: string): readonly StringChunk[] {
  const made = text.split(/\$\d+|\?/).map((piece) => new StringChunk(piece))
  if (pieces.size < MOST_TEXTS) pieces.set(text, made)
  return made
}

type Connection = Parameters<typeof betterSqlite3JournalStore>[0]

/** What a database on better-sqlite3 is made of. */
interface SqliteDrizzle {
  readonly $client: Connection
  readonly dialect: unknown
  readonly session: { readonly schema: unknown; readonly logger: unknown; readonly cache: unknown }
}

function onBetterSqlite3(db: SqliteDrizzle): JournalStore<SqliteDrizzle> {
  const { $client: client } = db
  if (!('inTransaction' in Object(client)))
    dialectOf('drizzleJournalStore', 'SQLite on another driver than better-sqlite3')
  const store = betterSqlite3JournalStore(client)
  /** The shop has one connection: its transactions are on it. */
  const given = (transaction: unknown) => (transaction === undefined ? undefined : client)
  return {
    ...store,
    insert: (intent, transaction) => store.insert(intent, given(transaction)),
    ofOrder: (clientOrderId, transaction) => store.ofOrder(clientOrderId, given(transaction)),
    deliver: (outcome, now, handler, limitMs) =>
      store.deliver(outcome, now, (connection) => handler(on(connection, db)), limitMs),
  }
}

/** The same database on another connection. */
function on(
  connection: Connection,
  { dialect, session, constructor: Database }: SqliteDrizzle & object,
): SqliteDrizzle {
  const [Opened, Session] = [Database, session.constructor] as unknown as [New<SqliteDrizzle>, New<object>]
  const { schema, logger, cache } = session
  const made = new Opened('sync', dialect, new Session(connection, dialect, schema, { logger, cache }), schema)
  return Object.assign(made, { $client: connection })
}

type New<Made> = new (...parts: unknown[]) => Made
