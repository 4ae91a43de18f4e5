import type { Pool } from 'pg'
import pg from 'pg'
import { ignore } from './transaction.ts'

/** The journal's own connections. One that is given up is replaced. */
export function ownPool(connectionString: string, answerWithinMs?: number): Pool {
  const pool = new pg.Pool({ ...ownConnections(connectionString, answerWithinMs), Client: OwnClient })
  // An idle connection that is lost is replaced when it is needed.
  pool.on('error', ignore)
  return pool
}

/** Has a listener before it connects: the pool adds its own only when the handshake has ended. */
class OwnClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', ignore)
  }
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
