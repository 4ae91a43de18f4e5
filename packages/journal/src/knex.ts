import type { JournalStore } from '@tallystick/client/ports'
import type { Knex } from 'knex'
import { sessionJournalStore } from './store/postgres/session-journal-store.ts'
import type { InSchema } from './store/postgres/tables-in.ts'

/**
 * A journal in the PostgreSQL database of the shop's Knex. Its handler gets a `Knex.Transaction`. The shop destroys its Knex after it
 * has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function knexJournalStore(knex: Knex, options: InSchema = {}): JournalStore<Knex.Transaction> {
  return sessionJournalStore<Knex.Transaction>(
    {
      caller: 'knexJournalStore',
      connections: (knex.client as { readonly pool?: { readonly max: number } }).pool?.max,
      run: async (text, values, transaction = knex as Knex.Transaction) => {
        // Knex numbers the values itself, in the order of the text.
        const bindings = values as readonly Knex.RawBinding[]
        const result: unknown = await transaction.raw(text.replaceAll(/\$\d+/g, '?'), bindings)
        const { rows, rowCount } = result as { readonly rows: readonly object[]; readonly rowCount: number | null }
        return { rows, changed: rowCount }
      },
      transaction: (work) => knex.transaction(work, { isolationLevel: 'read committed' }),
    },
    options,
  )
}
