import { createPool, type Pool } from 'mysql2/promise'
import { migrate, seekJournal } from '../store/mysql/migrate.ts'
import { mysql2JournalStore } from '../store/mysql/mysql2-journal-store.ts'
import { poolDatabase } from '../store/mysql/pool.ts'
import type { Server } from './database-server.ts'

export const server: Server = {
  migrateDatabase: (url, place) => inPool(url, async (pool) => (await migrate(poolDatabase(pool), place)).version),
  journalIn: (url, place) => inPool(url, (pool) => seekJournal(poolDatabase(pool), place)),
  openStore: (url, { schema }) => {
    const pool = poolOf(url)
    const store = mysql2JournalStore(pool, { schema })
    return { ...store, close: () => pool.end() }
  },
}

function poolOf(url: string): Pool {
  return createPool({ uri: url.replace(/^mariadb:/, 'mysql:'), charset: 'utf8mb4' })
}

async function inPool<Result>(url: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = poolOf(url)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
