import type { JournalStore } from '@tallystick/client/ports'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import type { InSchema } from './store/session/in-schema.ts'
import { dialectOf, sessionJournalStore } from './store/session/session-journal-store.ts'

/**
 * A journal in the PostgreSQL or MySQL database of the shop's TypeORM. Its handler gets an `EntityManager` in a transaction: write with it, and
 * with its repositories, not with injected ones. The shop destroys its `DataSource` after it has closed the journal.
 *
 * @param source is initialized before the journal is first used
 * @throws TypeError for a wrong option
 */
export function typeormJournalStore(source: DataSource, options: InSchema = {}): JournalStore<EntityManager> {
  return sessionJournalStore<EntityManager>(
    {
      caller: 'typeormJournalStore',
      dialect: dialectOf('typeormJournalStore', source.options.type),
      connections: (source.options as { readonly poolSize?: number }).poolSize ?? TYPEORM_POOL,
      run: async (text, values, manager) => {
        const own = manager?.queryRunner ? undefined : source.createQueryRunner()
        const runner = (manager?.queryRunner ?? own) as QueryRunner
        try {
          const { records, affected } = await runner.query(text, [...values], true)
          return { rows: records, changed: affected }
        } finally {
          await own?.release()
        }
      },
      transaction: (work) => source.transaction('READ COMMITTED', work),
    },
    options,
  )
}

/** Of pg and of mysql2, which TypeORM leaves as it is. */
const TYPEORM_POOL = 10
