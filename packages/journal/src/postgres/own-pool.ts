import pg, { type Pool } from 'pg'

/** Connections of the journal's own. */
export function ownPool(connectionString: string): Pool {
  const pool = new pg.Pool({ connectionString, application_name: 'tallystick-journal' })
  // An idle connection that is lost is replaced when it is needed.
  pool.on('error', () => {})
  return pool
}
