/**
 * What a failure of a statement means. `lost`: the connection, or the server, is gone, or no server was there. `collided`:
 * others wrote the same at once; the same once more will do. `refused`: the server will never do it.
 */
export type Failure = 'lost' | 'collided' | 'refused'

/** The codes of PostgreSQL. @see {@link https://www.postgresql.org/docs/current/errcodes-appendix.html} */
const COLLISIONS = ['40001', '40P01', '55P03']
/**
 * Connection exceptions, and an operator who stops the server, or a server that is starting or has no room, or that has
 * waited too long for a statement or for the next one, or that is read-only: after a fail-over another connection is not.
 * Nor has another a prepared statement that no longer fits its table, or that a pooler has lost.
 */
const LOSSES = /^(08|57P0|53300|57014|25P03|25006|0A000|26000)/
const SERVER_CODE = /^[0-9A-Z]{5}$/

/** What anything but the server has thrown says that it was not reached. */
export function failureOf(error: unknown): Failure {
  const code = serverCode(error)
  if (code === undefined || LOSSES.test(code)) return 'lost'
  return COLLISIONS.includes(code) ? 'collided' : 'refused'
}

/** The code of an error that the server reported; `undefined` where it did not. */
export function serverCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return undefined
  return typeof error.code === 'string' && SERVER_CODE.test(error.code) ? error.code : undefined
}
