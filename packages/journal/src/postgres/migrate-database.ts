import { migrate } from './migrate.ts'
import { ownPool } from './own-pool.ts'

/** Brings the tables of a database to the newest version. Gives the version that they had. */
export async function migrateDatabase(connectionString: string): Promise<number> {
  const pool = ownPool(connectionString)
  try {
    return await migrate(pool)
  } finally {
    await pool.end()
  }
}
