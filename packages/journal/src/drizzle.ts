import type { JournalStore } from '@tallystick/client/ports'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core'
import type { TablesRelationalConfig } from 'drizzle-orm/relations'
import { isPool, keepingErrors } from './store/postgres/connection.ts'
import { type SessionAnswer, sessionJournalStore } from './store/postgres/session-journal-store.ts'
import type { InSchema } from './store/postgres/tables-in.ts'

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
>(db: PgDatabase<Result, Schema, Tables>, options: InSchema = {}): JournalStore<PgTransaction<Result, Schema, Tables>> {
  return sessionJournalStore<PgTransaction<Result, Schema, Tables>>(
    {
      caller: 'drizzleJournalStore',
      connections: connectionsOf(db),
      run: async (text, values, transaction) => answerOf(await (transaction ?? db).execute(statementOf(text, values))),
      transaction: (work) => db.transaction(work, { isolationLevel: 'read committed' }),
    },
    options,
  )
}

/** Drizzle numbers the values itself, in the order of the text. */
function statementOf(text: string, values: readonly unknown[]) {
  const pieces = text.split(/\$\d+/)
  return sql.join(
    pieces.flatMap((piece, at) => (at === 0 ? [sql.raw(piece)] : [sql`${values[at - 1]}`, sql.raw(piece)])),
  )
}

/** Of pg an object with the rows, of postgres.js a list of them. */
function answerOf(result: unknown): SessionAnswer {
  if (Array.isArray(result)) return { rows: result, changed: (result as { readonly count?: number }).count }
  const { rows, rowCount } = result as { readonly rows: readonly object[]; readonly rowCount: number | null }
  return { rows, changed: rowCount }
}

/** `$client` is a pool of pg, a `Sql` of postgres.js, or what another driver has. */
function connectionsOf(db: object): number | undefined {
  const client = '$client' in db ? db.$client : undefined
  if (isPool(client)) return keepingErrors(client).options.max
  const { options } = Object(client) as { readonly options?: { readonly max?: unknown } }
  return typeof options?.max === 'number' ? options.max : undefined
}
