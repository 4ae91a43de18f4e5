export { type PgBossWakeupsOptions, pgBossWakeups } from './pg-boss/pg-boss-wakeups.ts'
