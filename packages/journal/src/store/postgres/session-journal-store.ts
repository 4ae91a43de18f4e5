import { AsyncLocalStorage } from 'node:async_hooks'
import type { JournalStore } from '@tallystick/client/ports'
import { checkOptions } from '@tallystick/core/internal'
import { readable } from '@tallystick/durable/stored-text'
import { HandlerTimeoutError } from '../../runtime/concurrency.ts'
import { systemWaiting } from '../../runtime/system.ts'
import { columnOf, isWholeNumber } from '../schema/tables.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import type { Answer, Step } from '../statements/work.ts'
import { execute, type Run } from './connection.ts'
import { deliveriesOf, type InSchema, SCHEMA, tablesIn } from './tables-in.ts'
import { again, type Database, isLostConnection, LONGEST_IDLE_MS, longestIdle, wasOvertaken } from './transaction.ts'

/** What the journal needs of a library with connections to PostgreSQL. */
export interface SqlSession<Transaction> {
  /** Begins the messages of the store: the name of the function that makes it. */
  readonly caller: string
  /** The connections of its pool. `undefined`: not known. */
  readonly connections: number | undefined
  /**
   * Runs a statement with `$1`, `$2` for its values.
   *
   * @param transaction `undefined`: on any connection, in no transaction
   * @param wants whether its rows are read, or how many it changed
   */
  run(
    text: string,
    values: readonly unknown[],
    transaction: Transaction | undefined,
    wants: Step['wants'],
  ): Promise<SessionAnswer>
  /** In a transaction of its own, READ COMMITTED: commits if the work resolves, rolls back if it throws. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>, limitMs: number): Promise<Result>
}

/** What a library gives for a statement, in its own types. */
export interface SessionAnswer {
  readonly rows?: readonly object[] | undefined
  readonly changed?: number | bigint | null | undefined
}

/** If a library does not say how many connections it has: two handlers at once, so that one that hangs does not hold up all. */
const UNKNOWN_POOL = 5

/**
 * First of all in each transaction. For servers that are set to answer before a commit is durable, which ours must be, and for
 * those that wait for an idle transaction for ever. Both are settings of the transaction, since poolers refuse those of a connection.
 */
const SETTINGS = `select case when current_setting('synchronous_commit') = 'off'
    then set_config('synchronous_commit', 'on', true) end as path,
  case when current_setting('idle_in_transaction_session_timeout') = '0'
    then set_config('idle_in_transaction_session_timeout', $1, true) end as tables`

/** Whether the transaction in which the journal has written is still open: 1 or 0. */
const IS_OPEN = 'select (txid_current_if_assigned() is not null)::int as n'

/** Fails, and with it whatever the transaction was to do: the server rolls it back, and refuses what is sent in it later. */
const ABORT = 'select 1 / 0 as n'
const ABORTED_WITHIN_MS = 1000

/** The store of a journal on the connections of a library of the shop. Its handler gets the transaction of that library. */
export function sessionJournalStore<Transaction>(
  session: SqlSession<Transaction>,
  options: InSchema,
): JournalStore<Transaction> {
  const { caller, connections = UNKNOWN_POOL } = session
  checkOptions(caller, options, { schema: SCHEMA })
  const maxDeliveries = deliveriesOf(connections)
  const inHandler = new AsyncLocalStorage<{ isOver: boolean }>()
  let hanging = 0

  const runOn =
    (transaction?: Transaction): Run =>
    async (text, values, wants) =>
      plainAnswer(await session.run(text, values, transaction, wants))

  /** A handler that waits for another connection of a pool that has one waits for itself. */
  function requireConnection(): void {
    if (connections > 1 || inHandler.getStore()?.isOver !== false) return
    throw new Error(
      `${caller}: the pool has one connection, which the handler has: it must not wait for the journal. Give the pool two or more`,
    )
  }

  /** Does it again if another transaction was faster, or the connection turns out to be lost before anything was done. */
  async function transact<Result>(
    work: (run: Run, transaction: Transaction) => Promise<Result>,
    idleMs = LONGEST_IDLE_MS,
  ): Promise<Result> {
    requireConnection()
    let isBegun = false
    const attempt = () =>
      session.transaction(async (transaction) => {
        const run = runOn(transaction)
        await run(SETTINGS, [String(idleMs)], 'rows')
        isBegun = true
        return await work(run, transaction)
      }, idleMs)
    return await again((error) => wasOvertaken(error) || (!isBegun && isLostConnection(error)), attempt)
  }

  const database: Database = {
    read: async (work) => {
      requireConnection()
      return await again(isLostConnection, () => work(runOn()))
    },
    write: (work) => transact(work),
  }
  const tables = tablesIn(database, options)

  /**
   * A library may give the connection of a transaction that has ended to others, on which a handler that is late would go on writing.
   * So the transaction is rolled back at the server at once, but keeps its connection until the handler has ended.
   */
  async function throughHandler(
    run: Run,
    transaction: Transaction,
    handler: (transaction: Transaction) => void | Promise<void>,
    onLate: (error: HandlerTimeoutError) => void,
  ): Promise<void> {
    const within = { isOver: false }
    try {
      await inHandler.run(within, async () => await handler(transaction))
    } catch (error) {
      if (error instanceof HandlerTimeoutError) {
        hanging += 1
        const isAborted = run(ABORT, [], 'rows').catch(() => {})
        await Promise.race([isAborted, systemWaiting.pause(ABORTED_WITHIN_MS)])
        onLate(error)
        await error.ended
        hanging -= 1
      }
      throw error
    } finally {
      within.isOver = true
    }
    const { rows } = await run(IS_OPEN, [], 'rows')
    if ((rows as readonly { readonly n: number }[])[0]?.n === 1) return
    throw new Error('The handler must not end the transaction: what it writes belongs to the note that it ran')
  }

  return sqlJournalStore<Transaction>('postgresql', {
    maxDeliveries,
    read: async (work) => {
      const place = await tables.ready()
      return await database.read((run) => execute(run, place, work()))
    },
    write: async (work) => {
      const place = await tables.ready()
      return await database.write((run) => execute(run, place, work()))
    },
    within: async (transaction, work) => {
      const run = runOn(transaction)
      return await execute(run, await tables.readyOn(run, true), work())
    },
    around: async (work, handler, limitMs) => {
      if (hanging >= maxDeliveries) {
        throw new Error(
          `${caller}: ${hanging} handlers did not end in time and still run, each with a connection: no other is called`,
        )
      }
      const place = await tables.ready()
      const { promise: late, reject } = Promise.withResolvers<never>()
      const done = transact(async (run, transaction) => {
        const isTaken = await execute(run, place, work())
        if (isTaken) await throughHandler(run, transaction, handler, reject)
        return isTaken
      }, longestIdle(limitMs))
      return await Promise.race([done, late])
    },
    // The shop ends its own library.
    close: async () => {},
  })
}

/** A library may give columns other names, such as camel case, and whole numbers as texts or `bigint`. */
function plainAnswer({ rows = [], changed }: SessionAnswer): Answer {
  return { rows: rows.map(plainRow), changed: Number(changed ?? 0) }
}

function plainRow(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const column = columnOf(name)
      return [column, typeof value === 'string' && !isWholeNumber(column) ? readable(value) : plainNumber(value)]
    }),
  )
}

function plainNumber(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value
}
