import pg from 'pg'
import { ignore } from './sqlstate.ts'

/**
 * Connections of our own, opened as they are needed. One that is lost while nothing uses it is no failure: the next statement opens
 * another. One that has gone silent, as in a failover, is noticed.
 */
export function ownPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, ...config, Client: OwnClient })
  pool.on('error', ignore)
  return pool
}

/**
 * Has a listener from before it connects until it is gone. The pool has none while it connects, nor from the moment when it
 * hands the connection out, and without one an error would end the process.
 */
class OwnClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', ignore)
  }
}
