import type { JournalStore } from '@tallystick/client/ports'
import type { Knex } from 'knex'
import type { InSchema } from './store/session/in-schema.ts'
import { answerOf, dialectOf, sessionJournalStore } from './store/session/session-journal-store.ts'

/**
 * A journal in the PostgreSQL or MySQL database of the shop's Knex. Its handler gets a `Knex.Transaction`. The shop destroys its Knex after it
 * has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function knexJournalStore(knex: Knex, options: InSchema = {}): JournalStore<Knex.Transaction> {
  const { dialect, pool } = knex.client as { readonly dialect: string; readonly pool?: { readonly max: number } }
  return sessionJournalStore<Knex.Transaction>(
    {
      caller: 'knexJournalStore',
      dialect: dialectOf('knexJournalStore', dialect),
      connections: pool?.max,
      run: async (text, values, transaction = knex as Knex.Transaction) => {
        // Knex numbers the values itself, in the order of the text.
        const bindings = values as readonly Knex.RawBinding[]
        return answerOf(await transaction.raw(text.replaceAll(/\$\d+/g, '?'), bindings))
      },
      transaction: (work) => knex.transaction(work, { isolationLevel: 'read committed' }),
    },
    options,
  )
}
