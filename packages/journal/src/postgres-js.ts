import type { JournalStore } from '@tallystick/client/ports'
import type { Sql, TransactionSql } from 'postgres'
import { refusing, whileOpen } from './store/postgres/postgres-js-transaction.ts'
import type { InSchema } from './store/session/in-schema.ts'
import { sessionJournalStore } from './store/session/session-journal-store.ts'

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
      dialect: 'postgresql',
      connections: max,
      run: async (text, values, transaction) => {
        const result = await (transaction ?? sql).unsafe(text, values as never[], { prepare })
        return { rows: result, changed: result.count }
      },
      transaction: (work) =>
        whileOpen(
          (within: typeof work) => sql.begin('isolation level read committed', within) as ReturnType<typeof work>,
          (transaction, isOver) => work(refusing(transaction, isOver)),
        ),
    },
    options,
  )
}
