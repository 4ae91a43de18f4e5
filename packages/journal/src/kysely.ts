import type { JournalStore } from '@tallystick/client/ports'
import type { Pool as MysqlPool } from 'mysql2'
import type { Pool } from 'pg'
import { connectionsIn } from './store/session/connections.ts'
import type { InSchema } from './store/session/in-schema.ts'
import type { KyselyExecutor } from './store/session/kysely-executor.ts'
import { dialectOfKysely, runKysely } from './store/session/run-kysely.ts'
import { sessionJournalStore } from './store/session/session-journal-store.ts'

/** The part of a `Kysely` that the journal uses. It is of the shop's version, which may be another than that of the journal. */
interface Kysely<Transaction> extends WithoutPlugins {
  transaction(): {
    setIsolationLevel(level: 'read committed'): {
      execute<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
    }
  }
}

interface WithoutPlugins {
  withoutPlugins(): KyselyExecutor
}

/** Options of a journal on Kysely. */
export interface KyselyJournalOptions extends InSchema {
  /**
   * The pool of its `PostgresDialect` or `MysqlDialect`, which Kysely does not show: then the journal knows how many connections there are, and one that
   * the server ends during a handler fails its statement instead of the process.
   */
  readonly pool?: Pool | MysqlPool | undefined
}

/**
 * A journal in the PostgreSQL or MySQL database of the shop's Kysely. Its handler gets a `Transaction` of it. The shop destroys its Kysely
 * after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function kyselyJournalStore<Transaction extends WithoutPlugins>(
  db: Kysely<Transaction>,
  { pool, ...options }: KyselyJournalOptions = {},
): JournalStore<Transaction> {
  return sessionJournalStore<Transaction>(
    {
      caller: 'kyselyJournalStore',
      dialect: dialectOfKysely('kyselyJournalStore', db.withoutPlugins()),
      connections: connectionsIn(pool),
      // Plug-ins would change the names and values of our tables.
      run: (text, values, transaction) => runKysely((transaction ?? db).withoutPlugins(), text, values),
      transaction: (work) => db.transaction().setIsolationLevel('read committed').execute(work),
    },
    options,
  )
}
