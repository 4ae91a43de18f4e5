// The store on PostgreSQL: an entry of its own, because pg and pg-boss are installed by those who need them.
export { type PostgresStoreOptions, postgresStore } from './store/postgres/postgres-store.ts'
