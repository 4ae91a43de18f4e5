/** The error of a statement that the server refused has a severity; that of a failed connection has none. */
interface ServerError extends Error {
  readonly severity: string
  readonly code?: string
  readonly constraint?: string
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error
}

/** SQLSTATEs of a failed connection, and of a server that shuts down or is not up yet. */
const LOST = /^(?:08|57P)/

/** Whether the connection failed: whether the statement took effect is not known. */
export function isLostConnection(error: unknown): boolean {
  return !isServerError(error) || LOST.test(error.code ?? '')
}

/** Whether a statement got no answer in time (pg's `query_timeout`): that connection is used no more. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'
const LOCK_NOT_AVAILABLE = '55P03'
const UNDEFINED_TABLE = '42P01'
const INVALID_SCHEMA = '3F000'

/** The names of all unique keys of our tables. A prefix would not do: the shop's own tables may begin with `journal_` as well. */
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

/** Whether one of our tables, or their schema, is not there. */
export function isTableGone(error: unknown): boolean {
  if (!isServerError(error)) return false
  return (error.code === UNDEFINED_TABLE && /journal_/.test(error.message)) || error.code === INVALID_SCHEMA
}

/** Whether a lock was not free in time. */
export function wasLocked(error: unknown): boolean {
  return isServerError(error) && error.code === LOCK_NOT_AVAILABLE
}

/**
 * Whether another transaction was faster and this one was rolled back whole: it may be done again. Only the unique keys of our
 * own tables count: the merchant has to know if their handler violates another.
 */
export function wasOvertaken(error: unknown): boolean {
  if (!isServerError(error)) return false
  const { code, constraint = '' } = error
  if (code === UNIQUE_VIOLATION) return UNIQUE_KEYS.has(constraint)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK
}
