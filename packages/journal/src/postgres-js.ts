import type { JournalStore } from '@tallystick/client/ports'
import type { Sql, TransactionSql } from 'postgres'
import { sessionJournalStore } from './store/postgres/session-journal-store.ts'
import type { InSchema } from './store/postgres/tables-in.ts'

/**
 * A journal in the PostgreSQL database of the shop's postgres.js. Its handler gets the `sql` of a transaction. The shop ends its own
 * after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function postgresJsJournalStore<Types extends Record<string, unknown>>(
  sql: Sql<Types>,
  options: InSchema = {},
): JournalStore<TransactionSql<Types>> {
  const { prepare, max } = sql.options
  return sessionJournalStore<TransactionSql<Types>>(
    {
      caller: 'postgresJsJournalStore',
      connections: max,
      run: async (text, values, transaction) => {
        const result = await (transaction ?? sql).unsafe(text, values as never[], { prepare })
        return { rows: result, changed: result.count }
      },
      transaction: (work) => sql.begin('isolation level read committed', work) as ReturnType<typeof work>,
    },
    options,
  )
}
