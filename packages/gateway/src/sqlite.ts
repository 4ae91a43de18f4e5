// The store on SQLite: an entry of its own, so that a gateway in memory does not load what a database needs.
export { type SqliteStoreOptions, sqliteStore } from './store/sqlite/sqlite-store.ts'
