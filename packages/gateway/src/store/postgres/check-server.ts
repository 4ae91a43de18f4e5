import { StoreError } from '../store-error.ts'
import { disagreementIn, SERVER_NOW } from './clocks.ts'
import { type AskTools, ask } from './query.ts'
import type { Row } from './statement.ts'

const OLDEST_VERSION = 140_000

/** What to ask the server: whether its commits are durable, and whether it can be written to. */
const SETTINGS = {
  text: `SELECT current_setting('server_version_num') AS version, current_setting('synchronous_commit') AS synchronous,
    pg_encoding_to_char(encoding) AS encoding, pg_is_in_recovery() AS standby, ${SERVER_NOW}
    FROM pg_database WHERE datname = current_database()`,
}

/**
 * Checks that the server can hold what money depends on, and that its clock agrees with this machine's.
 *
 * @throws StoreError that says what is wrong
 */
export async function checkServer(tools: AskTools): Promise<void> {
  const asked = tools.time.date()
  const row = (await ask(SETTINGS, tools)).rows[0] ?? {}
  const answered = tools.time.date()
  requireSettings(row)
  const disagreement = disagreementIn({ asked, now: Number(row['server_now']), answered })
  if (disagreement !== undefined) throw disagreement
}

function requireSettings(row: Row): void {
  if (Number(row['version']) < OLDEST_VERSION)
    throw new StoreError('UNSOUND', 'The database is older than PostgreSQL 14')
  if (row['standby'] === true) {
    throw new StoreError('UNWRITABLE', 'The database is a standby: connect to the server that is written to')
  }
  if (row['encoding'] !== 'UTF8') {
    throw new StoreError('UNSOUND', `The database is in ${String(row['encoding'])}: make one in UTF8`)
  }
  if (row['synchronous'] === 'off') {
    throw new StoreError(
      'UNSOUND',
      'synchronous_commit is off, and what is committed would not be safe: ALTER ROLE ... SET synchronous_commit = on',
    )
  }
}
