export { type PgBossNotifierOptions, pgBossNotifier } from './background/pg-boss-wakeups.ts'
