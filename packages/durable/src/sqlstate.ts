/** Codes of PostgreSQL. @see {@link https://www.postgresql.org/docs/current/errcodes-appendix.html} */
export const SQLSTATE = {
  UNIQUE_VIOLATION: '23505',
  INVALID_SCHEMA: '3F000',
  SERIALIZATION_FAILURE: '40001',
  DEADLOCK: '40P01',
  UNDEFINED_TABLE: '42P01',
  LOCK_NOT_AVAILABLE: '55P03',
} as const

const CODE = /^[0-9A-Z]{5}$/

/** The code of an error that the server reported. `undefined`: it reported none, so the connection failed. */
export function serverCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return undefined
  return typeof error.code === 'string' && CODE.test(error.code) ? error.code : undefined
}
