import type { IsolationLevel } from '@mikro-orm/core'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { JournalStore } from '@tallystick/client/ports'
import { runKysely } from './store/postgres/run-kysely.ts'
import { sessionJournalStore } from './store/postgres/session-journal-store.ts'
import type { InSchema } from './store/postgres/tables-in.ts'

/**
 * A journal in the PostgreSQL database of the shop's MikroORM. Its handler gets an `EntityManager` of its own in a transaction, which
 * is flushed at the end. The shop closes its MikroORM after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function mikroOrmJournalStore(orm: MikroORM, options: InSchema = {}): JournalStore<EntityManager> {
  return sessionJournalStore<EntityManager>(
    {
      caller: 'mikroOrmJournalStore',
      connections: orm.config.get('pool')?.max ?? MIKRO_ORM_POOL,
      run: (text, values, em = orm.em.fork()) => runKysely(em.getKysely(), text, values),
      transaction: (work) =>
        orm.em.fork().transactional((em) => work(em as EntityManager), { isolationLevel: READ_COMMITTED }),
    },
    options,
  )
}

/** Of pg, which MikroORM leaves as it is. */
const MIKRO_ORM_POOL = 10
const READ_COMMITTED = 'read committed' as IsolationLevel
