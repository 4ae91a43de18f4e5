export { mysql2JournalStore } from './store/mysql/mysql2-journal-store.ts'
