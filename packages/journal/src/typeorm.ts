import type { JournalStore } from '@tallystick/client/ports'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import { sessionJournalStore } from './store/postgres/session-journal-store.ts'
import type { InSchema } from './store/postgres/tables-in.ts'

/**
 * A journal in the PostgreSQL database of the shop's TypeORM. Its handler gets an `EntityManager` in a transaction: write with it, and
 * with its repositories, not with injected ones. The shop destroys its `DataSource` after it has closed the journal.
 *
 * @param source is initialized before the journal is first used
 * @throws TypeError for a wrong option
 */
export function typeormJournalStore(source: DataSource, options: InSchema = {}): JournalStore<EntityManager> {
  return sessionJournalStore<EntityManager>(
    {
      caller: 'typeormJournalStore',
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

/** Of pg, which TypeORM leaves as it is. */
const TYPEORM_POOL = 10
