import pg, { type Pool } from 'pg'

const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 60_000
const PROBE_AFTER_MS = 10_000

/** Connections of the journal's own. One that has gone silent, as in a failover, is given up, and another one taken. */
export function ownPool(connectionString: string, answerWithinMs = ANSWER_WITHIN_MS): Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'tallystick-journal',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  })
  // An idle connection that is lost is replaced when it is needed.
  pool.on('error', () => {})
  return pool
}
