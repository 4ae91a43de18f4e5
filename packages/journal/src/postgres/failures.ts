/** A statement that the server refused has the server's severity; what happens to a connection has none. */
interface ServerError extends Error {
  readonly severity: string
  readonly code?: string
  readonly constraint?: string
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error
}

/** SQLSTATE: a failure of the connection, and a server that is shut down or is not up yet. */
const LOST = /^(?:08|57P)/

/** Whether it was the connection that failed: nothing is known of the statement. */
export function isLostConnection(error: unknown): boolean {
  return !isServerError(error) || LOST.test(error.code ?? '')
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

/**
 * Whether another transaction was faster, and this one was taken back as a whole: the same may be done again. Of unique keys
 * only those of our own tables are meant: what the merchant's handler violates is his to know.
 */
export function wasOvertaken(error: unknown): boolean {
  if (!isServerError(error)) return false
  const { code, constraint = '' } = error
  if (code === UNIQUE_VIOLATION) return constraint.startsWith('journal_')
  return code === SERIALIZATION_FAILURE || code === DEADLOCK
}
