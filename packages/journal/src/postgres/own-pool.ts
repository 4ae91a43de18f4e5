import pg, { type Pool } from 'pg'
import { ownConnections } from './own-connections.ts'

/** The journal's own connections. One that is given up is replaced. */
export function ownPool(connectionString: string, answerWithinMs?: number): Pool {
  const pool = new pg.Pool(ownConnections(connectionString, answerWithinMs))
  // An idle connection that is lost is replaced when it is needed.
  pool.on('error', () => {})
  return pool
}
