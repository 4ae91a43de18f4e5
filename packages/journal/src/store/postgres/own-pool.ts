import { ownPool } from '@tallystick/durable/postgres-pool'
import type { Pool } from 'pg'
import type { Place, Sought } from '../session/server.ts'
import { migrate, seekJournal } from './migrate.ts'
import { databaseOf } from './transaction.ts'

/** The journal's own connections. */
export function journalPool(connectionString: string, answerWithinMs?: number): Pool {
  return ownPool(ownConnections(connectionString, answerWithinMs))
}

const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 60_000
const PROBE_AFTER_MS = 10_000

/** Settings of the journal's own connections. One that has gone silent, as in a failover, is given up. */
export function ownConnections(connectionString: string, answerWithinMs = ANSWER_WITHIN_MS) {
  return {
    connectionString,
    application_name: 'tallystick-journal',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  }
}

/** Changing a large table takes its time. */
const NO_LIMIT = 0

/** Brings the tables of a database to the newest version. Gives the version that they had. */
export async function migrateDatabase(connectionString: string, place: Place = {}): Promise<number> {
  return (await inPool(journalPool(connectionString, NO_LIMIT), (pool) => migrate(databaseOf(pool), place))).version
}

/** Looks for the tables of a journal in a database. */
export async function journalIn(connectionString: string, place: Place = {}): Promise<Sought> {
  return await inPool(journalPool(connectionString), (pool) => seekJournal(databaseOf(pool), place))
}

async function inPool<Result>(pool: Pool, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
