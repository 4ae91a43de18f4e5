import pg, { type Pool } from 'pg'
import { ownConnections } from './own-connections.ts'

/** Connections of the journal's own. For one that is given up another one is taken. */
export function ownPool(connectionString: string, answerWithinMs?: number): Pool {
  const pool = new pg.Pool(ownConnections(connectionString, answerWithinMs))
  // An idle connection that is lost is replaced when it is needed.
  pool.on('error', () => {})
  return pool
}
