import { migrate } from './migrate.ts'
import { ownPool } from './own-pool.ts'

/** What is done to a large table takes its time. */
const NO_LIMIT = 0

/** Brings the tables of a database to the newest version. Gives the version that they had. */
export async function migrateDatabase(connectionString: string): Promise<number> {
  const pool = ownPool(connectionString, NO_LIMIT)
  try {
    return await migrate(pool)
  } finally {
    await pool.end()
  }
}
