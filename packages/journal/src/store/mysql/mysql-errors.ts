/** What the server said when it refused a statement. */
export interface MysqlError {
  readonly code: number
  readonly state: string
  readonly message: string
}

/**
 * Codes of the server. Those of MySQL and MariaDB differ from 1900 on.
 *
 * @see {@link https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html}
 * @see {@link https://mariadb.com/docs/server/reference/error-codes/mariadb-error-code-reference}
 */
export const MYSQL = {
  NO_RIGHT_IN_DATABASE: 1044,
  SERVER_SHUTDOWN: 1053,
  UNKNOWN_DATABASE: 1049,
  DUPLICATE: 1062,
  NO_SUCH_TABLE: 1146,
  DEADLOCK: 1213,
  NOT_PREPARED: 1295,
  PROCEDURE_EXISTS: 1304,
  NO_SUCH_SAVEPOINT: 1305,
  NO_RIGHT_TO_MAKE: 1370,
  RECORD_HAS_CHANGED: 1020,
  KILLED: 1927,
  CLIENT_IDLE: 4031,
} as const

/** Where libraries keep the error of their driver. */
const WRAPPED = ['cause', 'driverError', 'original', 'meta', 'driverAdapterError']
const SQLSTATE = /^[0-9A-Z]{5}$/

/** The server's part of an error of mysql2 or mariadb, or of a library that has wrapped it. `undefined`: the connection failed. */
export function mysqlErrorOf(error: unknown): MysqlError | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const parts = error as Readonly<Record<string, unknown>>
  const code = Number(parts['errno'] ?? parts['originalCode'])
  const state = parts['sqlState'] ?? parts['state']
  const isOfServer =
    code > 0 && (parts['originalCode'] !== undefined || (typeof state === 'string' && SQLSTATE.test(state)))
  if (!isOfServer) return WRAPPED.map((name) => mysqlErrorOf(parts[name])).find((found) => found !== undefined)
  const message = parts['sqlMessage'] ?? parts['originalMessage'] ?? parts['message']
  return { code, state: textOf(state), message: textOf(message) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A server that ends the connection says so first. */
const LAST_WORDS: ReadonlySet<number> = new Set([MYSQL.SERVER_SHUTDOWN, MYSQL.KILLED, MYSQL.CLIENT_IDLE])

/** Whether the connection failed: whether the statement took effect is not known. */
export function isLostConnection(error: unknown): boolean {
  const said = mysqlErrorOf(error)
  return said === undefined || said.state.startsWith('08') || LAST_WORDS.has(said.code)
}

/** Whether another transaction was faster and this one is rolled back: it may be done again. */
export function wasOvertaken(error: unknown, isOurs: boolean): boolean {
  const code = mysqlErrorOf(error)?.code
  // The server does not say of which table a key is. In the handler's transaction the journal inserts nothing.
  if (code === MYSQL.DUPLICATE) return isOurs
  return code === MYSQL.DEADLOCK || code === MYSQL.RECORD_HAS_CHANGED
}
