import type { Pool, PoolClient } from 'pg'
import { HandlerTimeoutError } from '../handler-timeout-error.ts'
import { LEASE_MS } from '../lease.ts'
import { systemWaiting, type Waiting } from '../rims/turns.ts'
import { isLostConnection, isUnanswered, wasOvertaken } from './failures.ts'

/**
 * How long the server hears nothing of a transaction before it takes it back: as long as a lease. What a process has locked that
 * was stopped, or whose machine is gone, is free after it, for the server hears of neither.
 */
const LONGEST_IDLE_MS = LEASE_MS
/** A handler is ended by its own limit, which says so; after it and so much more, its process is not there any more. */
const AFTER_LIMIT_MS = 1000
/** More than that no setting of PostgreSQL holds. */
const MOST_MS = 2 ** 31 - 1

/** How long the server waits for the next statement of a handler that may take so long. */
export function longestIdle(limitMs: number | undefined): number {
  return limitMs === undefined ? LONGEST_IDLE_MS : Math.min(limitMs + AFTER_LIMIT_MS, MOST_MS)
}

/**
 * Each statement sees what others have committed until then; what must not change is locked. The second statement is for
 * servers that are set to answer before a commit is durable: not ours. The third is for those that wait for ever. Both are
 * settings of the transaction, since poolers refuse those of a connection.
 */
const begin = (idleMs: number) => `begin isolation level read committed read write;
  select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off';
  select set_config('idle_in_transaction_session_timeout', '${idleMs}', true)
    where current_setting('idle_in_transaction_session_timeout') = '0'`

/** How often others may be faster, and how often a connection may turn out to be lost before anything was done with it. */
const MOST_TRIES = 10
const LONGEST_PAUSE_MS = 20
/** After that only the second try is made: a server that says nothing makes each of them last for its whole time. */
const PATIENCE_MS = 20_000

/** Runs the work in a transaction, durable when it resolves; again from its start, when another one was faster. */
export async function transaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  idleMs = LONGEST_IDLE_MS,
): Promise<Result> {
  return await again(wasOvertaken, () => once(pool, work, idleMs))
}

/** Runs something that may be repeated at will, until the connection holds. */
export async function reading<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return await again(isLostConnection, () => borrowed(pool, work))
}

/** Does it anew, while that is worth another try. */
export async function again<Result>(
  isPassing: (error: unknown) => boolean,
  work: () => Promise<Result>,
  { now, pause, fraction }: Waiting = systemWaiting,
): Promise<Result> {
  const end = now() + PATIENCE_MS
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const isLast = tries >= MOST_TRIES || (tries > 1 && now() >= end)
      if (isLast || !isPassing(error)) throw error
    }
    await pause(fraction() * LONGEST_PAUSE_MS * tries)
  }
}

async function once<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  idleMs: number,
): Promise<Result> {
  // One that was lost while it lay idle shows at its first statement, before anything was done: another one is taken.
  const client = await again(isLostConnection, () => begun(pool, idleMs))
  return await using(client, async () => {
    const result = await work(client)
    const { command } = await client.query('commit')
    // The server answers the commit of a transaction that failed before with a rollback, and not with an error.
    if (command !== 'COMMIT') throw new Error('The transaction was taken back: one of its statements had failed')
    return result
  })
}

async function begun(pool: Pool, idleMs: number): Promise<PoolClient> {
  const client = await pool.connect()
  client.on('error', ignore)
  try {
    await client.query(begin(idleMs))
    return client
  } catch (error) {
    client.release(true)
    throw error
  } finally {
    client.off('error', ignore)
  }
}

/** Gives the connection back when the work has ended; with an error, after the transaction was taken back. */
async function using<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  // One that is lost between two statements tells it by an event, which nobody else hears.
  client.on('error', ignore)
  let isBroken = false
  try {
    return await work()
  } catch (error) {
    // Whoever did not end in time may go on some day: not on a connection that others have by then.
    const isLeft = isUnanswered(error) || error instanceof HandlerTimeoutError
    isBroken = isLeft || !(await isRolledBack(client))
    throw error
  } finally {
    client.off('error', ignore)
    client.release(isBroken)
  }
}

async function borrowed<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  return await using(client, () => work(client))
}

async function isRolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    // It is lost, and the server takes the transaction back.
    return false
  }
}

/** The statement that is under way, or the next one, fails as well, and is thrown. Unheard, it would end the process. */
function ignore(): void {}
