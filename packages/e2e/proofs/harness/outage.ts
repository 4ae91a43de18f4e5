/** PostgreSQL's connection exceptions, a server that stops or starts, and the sockets' errors for one that is gone. */
const CODES = /^(08|57P|UNREACHABLE$|ECONN|EPIPE$|NO_REPLY$|NOT_SENT$)/
/** The same from pg, pg-boss and the store, which have no code. */
const WORDS =
  /connection (terminated|ended)|database system is|timeout exceeded when trying to connect|read timeout|cut off from the store|took too long/i

/** Whether an error is an intended effect of stopping the server or killing a process. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOutage)
  // pg-boss reports values that are no Error.
  if (typeof error !== 'object' || error === null || !('message' in error)) return false
  if ('name' in error && error.name === 'LostError') return true
  if ('code' in error && CODES.test(String(error.code))) return true
  return WORDS.test(String(error.message)) || ('cause' in error && isOutage(error.cause))
}
