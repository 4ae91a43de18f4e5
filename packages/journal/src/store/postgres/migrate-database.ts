import type { Pool } from 'pg'
import { migrate, type Place, type Sought, seekJournal } from './migrate.ts'
import { ownPool } from './own-pool.ts'

/** Changing a large table takes its time. */
const NO_LIMIT = 0

/** Brings the tables of a database to the newest version. Gives the version that they had. */
export async function migrateDatabase(connectionString: string, place: Place = {}): Promise<number> {
  return (await inPool(ownPool(connectionString, NO_LIMIT), (pool) => migrate(pool, place))).version
}

/** Looks for the tables of a journal in a database. */
export async function journalIn(connectionString: string, place: Place = {}): Promise<Sought> {
  return await inPool(ownPool(connectionString), (pool) => seekJournal(pool, place))
}

async function inPool<Result>(pool: Pool, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
