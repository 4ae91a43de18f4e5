import type { RealTime } from '../../runtime/system.ts'
import type { Change } from '../store.ts'
import { StoreError } from '../store-error.ts'
import { type AskTools, ask } from './retry.ts'
import type { Answer, Row } from './statement.ts'

/** What time it is at the server, in milliseconds since 1970, as the column `server_now`. */
export const SERVER_NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS server_now'

/**
 * How far this machine's clock may be from the server's. Two processes are then at most twice that apart: a third of the
 * minute for which others leave a claim alone, and little of the 300 s of a nonce. NTP keeps clocks within milliseconds, so
 * a clock that is further off is one that nobody sets.
 */
const MOST_APART_MS = 10_000

/**
 * Whether this machine's clock agrees with the server's. Each process decides by its own clock when something is due and how
 * old a nonce may be, because that clock may be a virtual one, which no server has. So the clocks of processes that share a
 * database must agree, and each process compares its own with the one clock that all of them see.
 *
 * A process whose clock does not agree begins nothing until it does. If its clock is behind, what it schedules is due too
 * early for the others. If its clock is ahead, it repeats what others have claimed, and makes them refuse nonces that are in
 * time.
 */
export interface Clocks {
  /** Asks the server, and compares the time in its answer (`SERVER_NOW`). An answer without a row has none. */
  compare(ask: () => Promise<Answer>): Promise<Answer>
  agree(): boolean
  /** @throws StoreError `CLOCK` if they do not agree and the change begins something. What is under way is still written */
  requireAgreement(change: Change): void
}

interface ClocksTools {
  readonly time: RealTime
  /** Called when they begin to disagree. */
  readonly onError: (error: unknown) => void
}

export function clocksOf({ time, onError }: ClocksTools): Clocks {
  let failure: StoreError | undefined

  function note(comparison: Comparison): void {
    const before = failure
    failure = disagreementIn(comparison)
    if (failure !== undefined && before === undefined) onError(failure)
  }

  return {
    compare: async (ask) => {
      const asked = time.date()
      const answer = await ask()
      const [row] = answer.rows
      if (row !== undefined) note({ asked, now: Number(row['server_now']), answered: time.date() })
      return answer
    },
    agree: () => failure === undefined,
    requireAgreement: ({ nonce, order }) => {
      if (failure !== undefined && (nonce !== undefined || order?.basedOn === 'nothing')) throw failure
    },
  }
}

interface Comparison {
  /** By this machine's clock. */
  readonly asked: number
  /** By the server's, somewhere in between. */
  readonly now: number
  readonly answered: number
}

/** How many ms this machine's clock is ahead at least; below 0, behind. An answer that took long proves little. */
export function leastSkew({ asked, now, answered }: Comparison): number {
  return asked > now ? asked - now : Math.min(0, answered - now)
}

/** The error for clocks that are too far apart. `undefined`: they agree. */
function disagreementIn(comparison: Comparison): StoreError | undefined {
  const skewMs = leastSkew(comparison)
  if (Math.abs(skewMs) <= MOST_APART_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return new StoreError(
    'CLOCK',
    `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the database, and at most ` +
      `${MOST_APART_MS / 1000} s are allowed: set both by NTP`,
  )
}

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
