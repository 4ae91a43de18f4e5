/** SQLite's primary error code: the lowest byte of an extended one. `undefined`: the error is not SQLite's. */
export function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

const SQLITE_BUSY = 5

/** Whether another process has the database locked. */
export function isBusy(error: unknown): boolean {
  return errorCode(error) === SQLITE_BUSY
}
