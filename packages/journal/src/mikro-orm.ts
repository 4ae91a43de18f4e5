import type { EntityManager, IsolationLevel } from '@mikro-orm/core'
import type { JournalStore } from '@tallystick/client/ports'
import type { InSchema } from './store/session/in-schema.ts'
import type { KyselyExecutor } from './store/session/kysely-executor.ts'
import { runKysely } from './store/session/run-kysely.ts'
import { dialectOf, sessionJournalStore } from './store/session/session-journal-store.ts'

/** The part of a `MikroORM` on an SQL database that the journal uses. */
interface MikroOrm<Manager> {
  readonly em: Manager
  readonly config: { get(name: 'pool'): { readonly max?: number | undefined } | undefined }
}

interface SqlEntityManager extends EntityManager {
  getKysely(): KyselyExecutor
}

/**
 * A journal in the PostgreSQL or MySQL database of the shop's MikroORM. Its handler gets an `EntityManager` of its own in a transaction,
 * which is flushed at the end. The shop closes its MikroORM after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function mikroOrmJournalStore<Manager extends SqlEntityManager>(
  orm: MikroOrm<Manager>,
  options: InSchema = {},
): JournalStore<Manager> {
  return sessionJournalStore<Manager>(
    {
      caller: 'mikroOrmJournalStore',
      dialect: dialectOf('mikroOrmJournalStore', schemeOf(orm.em)),
      connections: orm.config.get('pool')?.max ?? MIKRO_ORM_POOL,
      run: async (text, values, em = orm.em.fork() as Manager) => {
        // That of MySQL is loaded with the first connection.
        await em.getConnection().ensureConnection()
        // Before 7.1, `getKysely` is outside the transaction.
        return await runKysely(em.getTransactionContext<KyselyExecutor>() ?? em.getKysely(), text, values)
      },
      flush: (em) => em.flush(),
      transaction: (work) =>
        orm.em.fork().transactional((em) => work(em as Manager), { isolationLevel: READ_COMMITTED }),
    },
    options,
  )
}

/** Of pg and of mysql2, which MikroORM leaves as they are. */
const MIKRO_ORM_POOL = 10
const READ_COMMITTED = 'read committed' as IsolationLevel

function schemeOf(em: EntityManager): string {
  return em.getPlatform().getDefaultClientUrl().split(':', 1)[0] ?? ''
}
