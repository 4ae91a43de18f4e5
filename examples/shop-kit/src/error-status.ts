/** The status to answer an error with. Errors of body parsers, Nest and payment handlers have one. A 503 makes the gateway call again. */
export function errorStatus(error: unknown): number {
  const isNamed = typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
  return isNamed ? Number(error.status) : 500
}
