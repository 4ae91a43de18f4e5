import { AsyncLocalStorage } from 'node:async_hooks'
import type { JournalStore } from '@tallystick/client/ports'
import { checkOptions } from '@tallystick/core/internal'
import { readable } from '@tallystick/durable/stored-text'
import { HandlerTimeoutError } from '../../runtime/concurrency.ts'
import { systemWaiting } from '../../runtime/system.ts'
import { mysqlServer } from '../mysql/mysql-server.ts'
import { postgresServer } from '../postgres/postgres-server.ts'
import { again, aloneOn, LONGEST_IDLE_MS, longestIdle } from '../postgres/transaction.ts'
import { columnOf, isWholeNumber } from '../schema/tables.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import type { Answer, Step } from '../statements/work.ts'
import { type InSchema, SCHEMA } from './in-schema.ts'
import { type Database, execute, type HandlerGuard, type Run } from './server.ts'
import { deliveriesOf, tablesIn } from './tables-in.ts'

const SERVERS = { postgresql: postgresServer, mysql: mysqlServer }
export type SessionDialect = keyof typeof SERVERS

/** What libraries call their databases. */
const DIALECTS: Readonly<Record<string, SessionDialect>> = {
  postgres: 'postgresql',
  postgresql: 'postgresql',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
}

/** @throws TypeError if the journal has no store for the database of a library */
export function dialectOf(caller: string, name: unknown): SessionDialect {
  const dialect = DIALECTS[String(name).toLowerCase()]
  if (dialect !== undefined) return dialect
  throw new TypeError(
    `${caller}: there is no journal in a database of the kind ${String(name)}, only in PostgreSQL, MySQL and MariaDB; beside any other, ` +
      "give it a file of its own: sqliteJournalStore({ file: 'payments.db' })",
  )
}

/** What the journal needs of a library with connections to PostgreSQL, MySQL or MariaDB. */
export interface SqlSession<Transaction> {
  /** Begins the messages of the store: the name of the function that makes it. */
  readonly caller: string
  readonly dialect: SessionDialect
  /** The connections of its pool. `undefined`: not known. */
  readonly connections: number | undefined
  /**
   * Runs a statement with `$1`, `$2` for its values, or in MySQL with a `?` for each.
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
  /** If the library watches over its transaction itself. */
  guard?(transaction: Transaction): HandlerGuard
  /** Sends what the library keeps back until the commit. */
  flush?(transaction: Transaction): Promise<void>
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

const ABORTED_WITHIN_MS = 1000

/** The store of a journal on the connections of a library of the shop. Its handler gets the transaction of that library. */
export function sessionJournalStore<Transaction>(
  session: SqlSession<Transaction>,
  options: InSchema,
): JournalStore<Transaction> {
  const { caller, dialect, connections = UNKNOWN_POOL } = session
  const server = SERVERS[dialect]
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
    work: (run: Run, transaction: Transaction, begun: () => void) => Promise<Result>,
    isOurs = true,
    idleMs = LONGEST_IDLE_MS,
  ): Promise<Result> {
    requireConnection()
    let isBegun = false
    const begun = () => {
      isBegun = true
    }
    const attempt = () => session.transaction((transaction) => work(runOn(transaction), transaction, begun), idleMs)
    const isPassing = (error: unknown) =>
      server.wasOvertaken(error, isOurs) || (!isBegun && server.isLostConnection(error))
    return await again(isPassing, attempt)
  }

  const database: Database = {
    read: async (work) => {
      requireConnection()
      return await again(server.isLostConnection, () => work(runOn()))
    },
    write: (work) =>
      transact(async (run, _, begun) => {
        await server.begin(run, LONGEST_IDLE_MS)
        begun()
        return await work(run)
      }),
  }
  const tables = tablesIn(server, database, options)

  /**
   * A library may give the connection of a transaction that has ended to others, on which a handler that is late would go on writing.
   * So the transaction is rolled back at the server at once, but keeps its connection until the handler has ended.
   */
  async function throughHandler(
    guard: HandlerGuard,
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
        const isAborted = guard.abort().catch(() => {})
        await Promise.race([isAborted, systemWaiting.pause(ABORTED_WITHIN_MS)])
        onLate(error)
        await error.ended
        hanging -= 1
      }
      throw error
    } finally {
      within.isOver = true
    }
    await session.flush?.(transaction)
    await guard.finish()
  }

  return sqlJournalStore<Transaction>(dialect, {
    maxDeliveries,
    read: async (work) => {
      const place = await tables.ready()
      return await database.read((run) => execute(server, run, place, work()))
    },
    write: async (work) => {
      const place = await tables.ready()
      return await database.write((run) => execute(server, run, place, work()))
    },
    ...(dialect === 'postgresql' && {
      alone: {
        requireFree: requireConnection,
        each: async (work) => {
          const place = await tables.ready()
          return await aloneOn(database, (run, isAgain) => execute(server, run, place, work(isAgain)))
        },
      },
    }),
    within: async (transaction, work) => {
      const run = runOn(transaction)
      return await execute(server, run, await tables.readyOn(run, true), work())
    },
    around: async (work, handler, limitMs) => {
      if (hanging >= maxDeliveries) {
        throw new Error(
          `${caller}: ${hanging} handlers did not end in time and still run, each with a connection: no other is called`,
        )
      }
      const place = await tables.ready()
      const { promise: late, reject } = Promise.withResolvers<never>()
      const idleMs = longestIdle(limitMs)
      const taken = async (run: Run, transaction: Transaction, begun: () => void) => {
        const isTaken = await execute(server, run, place, work(idleMs))
        begun()
        if (!isTaken) return false
        const guard = session.guard?.(transaction) ?? (await server.guard(run, idleMs))
        try {
          await throughHandler(guard, transaction, handler, reject)
        } finally {
          await guard.release().catch(() => {})
        }
        return true
      }
      const done = transact(taken, false, idleMs)
      return await Promise.race([done, late])
    },
    // The shop ends its own library.
    close: async () => {},
  })
}

/** What a library gives as its driver gave it: pg an object, postgres.js a list, mysql2 a list of the rows, or of what it changed, and of columns. */
export function answerOf(result: unknown): SessionAnswer {
  if (!Array.isArray(result)) {
    const { rows, rowCount } = Object(result) as {
      readonly rows?: readonly object[]
      readonly rowCount?: number | null
    }
    return { rows, changed: rowCount }
  }
  const [first] = result as readonly unknown[]
  if (Array.isArray(first)) return { rows: first }
  if (result.length > 0 && 'affectedRows' in Object(first)) return { changed: Object(first).affectedRows }
  return { rows: result, changed: (result as { readonly count?: number }).count }
}

/** A library may give columns other names, such as camel case, and whole numbers as texts or `bigint`. */
export function plainAnswer({ rows = [], changed }: SessionAnswer): Answer {
  return { rows: rows.map(plainRow), changed: Number(changed ?? 0) }
}

function plainRow(row: object): object {
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const { column, isWhole } = known.get(name) ?? remember(name)
    if (typeof value === 'string') plain[column] = isWhole ? Number(value) : readable(value)
    else plain[column] = typeof value === 'bigint' ? Number(value) : value
  }
  return plain
}

interface Column {
  readonly column: string
  readonly isWhole: boolean
}

/** The names are those of our columns, as libraries spell them. */
const known = new Map<string, Column>()

function remember(name: string): Column {
  const column = columnOf(name)
  const made = { column, isWhole: isWholeNumber(column) }
  known.set(name, made)
  return made
}
