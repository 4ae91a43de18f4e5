/** Codes of PostgreSQL. @see {@link https://www.postgresql.org/docs/current/errcodes-appendix.html} */
export const SQLSTATE = {
  UNIQUE_VIOLATION: '23505',
  READ_ONLY: '25006',
  INVALID_SCHEMA: '3F000',
  UNKNOWN_STATEMENT: '26000',
  SERIALIZATION_FAILURE: '40001',
  DEADLOCK: '40P01',
  UNDEFINED_TABLE: '42P01',
  DUPLICATE_STATEMENT: '42P05',
  LOCK_NOT_AVAILABLE: '55P03',
} as const

const CODE = /^[0-9A-Z]{5}$/

/** The code of an error that the server reported. `undefined`: it reported none, so the connection failed. */
export function serverCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return undefined
  return typeof error.code === 'string' && CODE.test(error.code) ? error.code : undefined
}

/** What the server said when it refused a statement. */
export interface ServerError {
  readonly code: string
  readonly message: string
  /** The constraint that it names, else the empty text. */
  readonly constraint: string
}

/** Where libraries keep the error of their driver. */
const WRAPPED = ['cause', 'driverError', 'original', 'meta', 'driverAdapterError']

/** The server's part of an error of a driver, or of a library that has wrapped it. `undefined`: the connection failed. */
export function serverErrorOf(error: unknown): ServerError | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const parts = error as Readonly<Record<string, unknown>>
  const code = parts['originalCode'] ?? ('severity' in parts ? parts['code'] : undefined)
  if (typeof code !== 'string' || !CODE.test(code)) {
    return WRAPPED.map((name) => serverErrorOf(parts[name])).find((found) => found !== undefined)
  }
  const message = textOf(parts['originalMessage'] ?? parts['message']) ?? ''
  const [, named = ''] = /constraint "([^"]+)"/.exec(message) ?? []
  return { code, message, constraint: textOf(parts['constraint'] ?? parts['constraint_name']) ?? named }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Listens to an error of a connection. The statement under way, or the next one, fails as well and throws. */
export function ignore(): void {}
