/** Result codes of SQLite. @see {@link https://www.sqlite.org/rescode.html} */
export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const

export type SqliteCode = (typeof SQLITE)[keyof typeof SQLITE]

/** Whether SQLite refused with this code. An extended code has it in its lowest byte. */
export function isSqliteFailure(error: unknown, code: SqliteCode): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false
  return typeof error.errcode === 'number' && (error.errcode & 0xff) === code
}
