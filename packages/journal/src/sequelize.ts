import type { JournalStore } from '@tallystick/client/ports'
import type { Sequelize, Transaction } from 'sequelize'
import type { InSchema } from './store/session/in-schema.ts'
import { endedByHandler, type HandlerGuard } from './store/session/server.ts'
import { dialectOf, sessionJournalStore } from './store/session/session-journal-store.ts'

/**
 * A journal in the PostgreSQL or MySQL database of the shop's Sequelize. Its handler gets a `Transaction`: pass it to each call, as
 * `{ transaction }`, also if Sequelize has a namespace for them. The shop closes its Sequelize after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function sequelizeJournalStore(sequelize: Sequelize, options: InSchema = {}): JournalStore<Transaction> {
  const dialect = dialectOf('sequelizeJournalStore', sequelize.getDialect())
  return sessionJournalStore<Transaction>(
    {
      caller: 'sequelizeJournalStore',
      dialect,
      connections:
        (sequelize as unknown as { readonly options: { readonly pool?: { readonly max?: number } } }).options.pool
          ?.max ?? SEQUELIZE_POOL,
      // `null`: not in a transaction of the shop's namespace. Our statements are many, and not what the shop wants in its log.
      run: async (text, values, transaction = null as never) => {
        const [rows, result] = await sequelize.query(text, {
          [dialect === 'mysql' ? 'replacements' : 'bind']: [...values],
          transaction,
          raw: true,
          logging: false,
        })
        // The number itself after an insert, else what the driver gives.
        const { rowCount, affectedRows } = Object(result) as Changed
        const changed = typeof result === 'number' ? result : (rowCount ?? affectedRows)
        return { rows: Array.isArray(rows) ? (rows as object[]) : [], changed }
      },
      // After a deadlock Sequelize rolls back itself, and refuses what is sent later; the connection is in its pool again.
      ...(dialect === 'mysql' && { guard: guardOf }),
      transaction: (work) =>
        sequelize.transaction({ isolationLevel: READ_COMMITTED, logging: false, transaction: null as never }, work),
    },
    options,
  )
}

function guardOf(transaction: Transaction): HandlerGuard {
  const isEnded = () => (transaction as unknown as { readonly finished?: string }).finished !== undefined
  return {
    abort: () => transaction.rollback(),
    finish: async () => {
      if (isEnded()) throw endedByHandler()
    },
    release: async () => {},
  }
}

interface Changed {
  readonly rowCount?: number | null
  readonly affectedRows?: number
}

/** Of Sequelize, if the shop does not set it. */
const SEQUELIZE_POOL = 5
const READ_COMMITTED = 'READ COMMITTED' as Transaction.ISOLATION_LEVELS
