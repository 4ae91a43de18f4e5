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

/** Whether a statement got no answer in time (pg's `query_timeout`): nothing more is asked on that connection. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'
const LOCK_NOT_AVAILABLE = '55P03'

/** The names of all unique keys of our tables, for the shop's own tables may begin with `journal_` as well. */
export const UNIQUE_KEYS: ReadonlySet<string> = new Set([
  'journal_intents_pkey',
  'journal_intents_attempt',
  'journal_intents_active',
  'journal_intents_order',
  'journal_intents_opening',
  'journal_outcomes_key',
  'journal_stray_orders_key',
  'journal_gateway_answers_key',
  'journal_version_pkey',
])

/** Whether a table was not free in time. */
export function wasLocked(error: unknown): boolean {
  return isServerError(error) && error.code === LOCK_NOT_AVAILABLE
}

/**
 * Whether another transaction was faster, and this one was taken back as a whole: the same may be done again. Of unique keys
 * only those of our own tables are meant: what the merchant's handler violates is his to know.
 */
export function wasOvertaken(error: unknown): boolean {
  if (!isServerError(error)) return false
  const { code, constraint = '' } = error
  if (code === UNIQUE_VIOLATION) return UNIQUE_KEYS.has(constraint)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK
}
