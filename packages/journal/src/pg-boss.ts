export { type PgBossWakeupsOptions, pgBossWakeups } from './background/pg-boss-wakeups.ts'
