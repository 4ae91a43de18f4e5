import { ownPool } from '@tallystick/durable/postgres-pool'
import type { Pool } from 'pg'

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
