import { journalIn, migrateDatabase } from '../store/postgres/own-pool.ts'
import { postgresJournalStore } from '../store/postgres/postgres-journal-store.ts'
import type { Server } from './database-server.ts'

export const server: Server = {
  migrateDatabase,
  journalIn,
  openStore: (connectionString, { schema }) => postgresJournalStore({ connectionString, schema }),
}
