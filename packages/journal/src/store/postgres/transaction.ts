import { retry } from '@tallystick/durable/retry'
import { ignore, SQLSTATE, serverErrorOf } from '@tallystick/durable/sqlstate'
import type { Pool, PoolClient } from 'pg'
import { LEASE_MS } from '../../background/lease.ts'
import { HandlerTimeoutError } from '../../runtime/concurrency.ts'
import { systemWaiting, type Waiting } from '../../runtime/system.ts'
import type { Database, Run } from '../session/server.ts'
import { runOn, statementNames } from './connection.ts'

/**
 * How long a transaction may be idle before the server rolls it back: as long as a lease. It frees what a process has locked that
 * was stopped or whose machine is gone, since the server is told of neither.
 */
export const LONGEST_IDLE_MS = LEASE_MS
/** The handler's own limit ends it, and says so. This long after that limit, its process must be gone. */
const AFTER_LIMIT_MS = 1000
/** The largest value of a setting of PostgreSQL. */
const MOST_MS = 2 ** 31 - 1

/** How long the server waits for the next statement of a handler with this limit. */
export function longestIdle(limitMs: number | undefined): number {
  return limitMs === undefined ? LONGEST_IDLE_MS : Math.min(limitMs + AFTER_LIMIT_MS, MOST_MS)
}

/**
 * Each statement sees what others have committed until then; rows that must not change are locked. The second statement is for
 * servers that are set to answer before a commit is durable, which ours must be, and for those that wait for an idle transaction for
 * ever. Both are settings of the transaction, since poolers refuse those of a connection.
 */
export const BEGIN = 'begin isolation level read committed read write'
const BEGIN_WITH_SETTINGS = `${BEGIN};
  select case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end,
    case when current_setting('idle_in_transaction_session_timeout') = '0'
      then set_config('idle_in_transaction_session_timeout', '${LONGEST_IDLE_MS}', true) end`

/** How often others may be faster, and how often a connection may turn out to be lost before it was used. */
const MOST_TRIES = 10
const LONGEST_PAUSE_MS = 20
/** After this time there is no third try: with a server that does not answer, each try lasts as long as its limits allow. */
const RETRY_FOR_MS = 20_000

export function databaseOf(pool: Pool, names = preparedOn()): Database {
  return {
    read: (work) => reading(pool, names, (client) => work(runOn(client, names.nameOf))),
    write: (work) => transaction(pool, (client) => work(runOn(client, names.nameOf)), names),
  }
}

/** Statements that connections have prepared, until one turns out to have lost them. */
export interface Prepared {
  nameOf(text: string): string | undefined
  /** Whether it says so. From then on statements have no names. */
  isLost(error: unknown): boolean
}

const LOST_STATEMENTS: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.UNKNOWN_STATEMENT,
  SQLSTATE.DUPLICATE_STATEMENT,
])

/** A `select *` whose table has another column since, as when a later version is being rolled out. Its code has many other meanings. */
function isOfOtherColumns(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/** A pooler that hands out another connection for each transaction, and does not know of prepared statements, loses them. */
export function preparedOn(): Prepared {
  const named = statementNames()
  let isLost = false
  return {
    nameOf: (text) => (isLost ? undefined : named(text)),
    isLost: (error) => {
      if (!LOST_STATEMENTS.has(serverErrorOf(error)?.code) && !isOfOtherColumns(error)) return false
      isLost = true
      return true
    },
  }
}

/** Runs the work in a transaction, durable when it resolves. If another transaction was faster, runs it again from its start. */
export async function transaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  names: Prepared,
  begin = BEGIN_WITH_SETTINGS,
): Promise<Result> {
  return await again(
    (error) => wasOvertaken(error) || names.isLost(error),
    () => once(pool, work, begin),
  )
}

/** Runs work that may be repeated at will, until the connection holds. */
async function reading<Result>(
  pool: Pool,
  names: Prepared,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return await again(
    (error) => isLostConnection(error) || names.isLost(error),
    () => borrowed(pool, work),
  )
}

/**
 * Runs statements of which each is a transaction by itself. The work is done again if another transaction was faster, or the connection
 * was lost: then it may have taken effect, as it is told.
 */
export async function aloneOn<Result>(
  { read, write }: Database,
  work: (run: Run, isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  let tries = 0
  const each = (run: Run) => work(run, tries++ > 0)
  try {
    return await again(wasOvertaken, () => read(each))
  } catch (error) {
    // Where transactions only read unless they say otherwise, a statement cannot say so.
    if (serverErrorOf(error)?.code !== SQLSTATE.READ_ONLY) throw error
    return await write(each)
  }
}

/** Repeats the work while its errors are passing ones. */
export function again<Result>(
  isPassing: (error: unknown) => boolean,
  work: () => Promise<Result>,
  time: Waiting = systemWaiting,
): Promise<Result> {
  return retry(work, {
    time,
    isPassing,
    timeoutMs: RETRY_FOR_MS,
    leastTries: 2,
    mostTries: MOST_TRIES,
    pauseMs: (tries) => time.fraction() * LONGEST_PAUSE_MS * tries,
  })
}

async function once<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>, begin: string): Promise<Result> {
  // A connection that was lost while idle fails at its first statement, before anything was done: another one is taken.
  const client = await again(isLostConnection, () => begun(pool, begin))
  return await using(client, async () => {
    const result = await work(client)
    const { command } = await client.query('commit')
    // The server answers the commit of a failed transaction with a rollback, not with an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed')
    return result
  })
}

async function begun(pool: Pool, begin: string): Promise<PoolClient> {
  const client = await taken(pool)
  try {
    await client.query(begin)
    return client
  } catch (error) {
    release(client, true)
    throw error
  }
}

/**
 * A connection of the pool with a listener for its errors, until `release`. The pool's own listener is gone when it hands the
 * connection out, and a promise of it resolves later: a server that ends the connection in the packet that completes the
 * handshake would end the process in between. So the listener is added in the pool's callback.
 */
function taken(pool: Pool): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return reject(error ?? new Error('The pool gave no connection'))
      client.on('error', ignore)
      resolve(client)
    })
  })
}

/** From here on the pool listens itself. */
function release(client: PoolClient, isBroken: boolean): void {
  client.off('error', ignore)
  client.release(isBroken)
}

/** Releases the connection when the work has ended; if it failed, after a rollback. */
async function using<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  let isBroken = false
  try {
    return await work()
  } catch (error) {
    // Work that did not end in time may go on some day, and must not do so on a connection that others have by then.
    const isLeft = isUnanswered(error) || error instanceof HandlerTimeoutError
    isBroken = isLeft || !(await isRolledBack(client))
    throw error
  } finally {
    release(client, isBroken)
  }
}

async function borrowed<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await taken(pool)
  return await using(client, () => work(client))
}

async function isRolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    // The connection is lost, and the server rolls the transaction back.
    return false
  }
}

/** SQLSTATEs of a failed connection, and of a server that shuts down or is not up yet. */
const LOST = /^(?:08|57P)/

/** Whether the connection failed: whether the statement took effect is not known. */
export function isLostConnection(error: unknown): boolean {
  const code = serverErrorOf(error)?.code
  return code === undefined || LOST.test(code)
}

/** Whether a statement got no answer in time (pg's `query_timeout`): that connection is used no more. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** The names of all unique keys of our tables. A prefix would not do: the shop's own tables may begin with `journal_` as well. */
export const UNIQUE_KEYS: ReadonlySet<string> = new Set([
  'journal_intents_pkey',
  'journal_intents_attempt',
  'journal_intents_active',
  'journal_intents_order',
  'journal_intents_opening',
  'journal_outcomes_key',
  'journal_orphan_orders_key',
  'journal_gateway_answers_key',
  'journal_version_pkey',
])

/**
 * Whether another transaction was faster and this one was rolled back whole: it may be done again. Only the unique keys of our
 * own tables count: the merchant has to know if their handler violates another.
 */
export function wasOvertaken(error: unknown): boolean {
  const { code, constraint = '' } = serverErrorOf(error) ?? {}
  if (code === SQLSTATE.UNIQUE_VIOLATION) return UNIQUE_KEYS.has(constraint)
  return code === SQLSTATE.SERIALIZATION_FAILURE || code === SQLSTATE.DEADLOCK
}
