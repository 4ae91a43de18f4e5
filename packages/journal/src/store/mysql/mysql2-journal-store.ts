import type { JournalStore } from '@tallystick/client/ports'
import type { Pool, PoolConnection } from 'mysql2/promise'
import { connectionsIn } from '../session/connections.ts'
import type { InSchema } from '../session/in-schema.ts'
import { sessionJournalStore } from '../session/session-journal-store.ts'
import { query, transaction } from './pool.ts'

/**
 * A journal in the MySQL or MariaDB database of the shop's mysql2. Its handler gets a connection in a transaction, which it must not
 * end, nor release. The shop ends its pool after it has closed the journal.
 *
 * @param pool of `mysql2/promise`; of one of `mysql2`, give `pool.promise()`
 * @throws TypeError for a wrong option
 */
export function mysql2JournalStore(pool: Pool, options: InSchema = {}): JournalStore<PoolConnection> {
  return sessionJournalStore<PoolConnection>(
    {
      caller: 'mysql2JournalStore',
      dialect: 'mysql',
      connections: connectionsIn(pool),
      run: (text, values, connection) => query(connection ?? pool, text, values),
      transaction: (work) => transaction(pool, work),
    },
    options,
  )
}
