export { type PostgresJournalOptions, postgresJournalStore } from './postgres/postgres-journal-store.ts'
