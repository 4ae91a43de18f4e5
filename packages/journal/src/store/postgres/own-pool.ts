import pg, { type Pool } from 'pg'
import { ownConnections } from './own-connections.ts'
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
