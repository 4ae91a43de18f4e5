import type { JournalStore } from '@tallystick/client/ports'
import type { Sequelize, Transaction } from 'sequelize'
import { sessionJournalStore } from './store/postgres/session-journal-store.ts'
import type { InSchema } from './store/postgres/tables-in.ts'

/**
 * A journal in the PostgreSQL database of the shop's Sequelize. Its handler gets a `Transaction`: pass it to each call, as
 * `{ transaction }`, also if Sequelize has a namespace for them. The shop closes its Sequelize after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function sequelizeJournalStore(sequelize: Sequelize, options: InSchema = {}): JournalStore<Transaction> {
  return sessionJournalStore<Transaction>(
    {
      caller: 'sequelizeJournalStore',
      connections:
        (sequelize as unknown as { readonly options: { readonly pool?: { readonly max?: number } } }).options.pool
          ?.max ?? SEQUELIZE_POOL,
      // `null`: not in a transaction of the shop's namespace. Our statements are many, and not what the shop wants in its log.
      run: async (text, values, transaction = null as never) => {
        const [rows, result] = await sequelize.query(text, {
          bind: [...values],
          transaction,
          raw: true,
          logging: false,
        })
        // The number itself after an insert, else what pg gives.
        const { rowCount } = Object(result) as { readonly rowCount?: number | null }
        return { rows: rows as object[], changed: typeof result === 'number' ? result : rowCount }
      },
      transaction: (work) =>
        sequelize.transaction({ isolationLevel: READ_COMMITTED, logging: false, transaction: null as never }, work),
    },
    options,
  )
}

/** Of Sequelize, if the shop does not set it. */
const SEQUELIZE_POOL = 5
const READ_COMMITTED = 'READ COMMITTED' as Transaction.ISOLATION_LEVELS
