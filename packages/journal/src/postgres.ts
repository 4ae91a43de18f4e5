export { type PostgresJournalOptions, postgresJournalStore } from './store/postgres/postgres-journal-store.ts'
