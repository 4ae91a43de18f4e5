import type { Pool } from 'pg'
import { areAnyTables, migrate } from './migrate.ts'
import { ownPool } from './own-pool.ts'

/** What is done to a large table takes its time. */
const NO_LIMIT = 0

/** Brings the tables of a database to the newest version. Gives the version that they had. */
export async function migrateDatabase(connectionString: string): Promise<number> {
  return await inDatabase(connectionString, migrate)
}

/** Whether a database has a journal at all. */
export async function hasJournal(connectionString: string): Promise<boolean> {
  return await inDatabase(connectionString, areAnyTables)
}

async function inDatabase<Result>(connectionString: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = ownPool(connectionString, NO_LIMIT)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
