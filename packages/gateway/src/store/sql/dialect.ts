import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
} from 'kysely'
import { LONGEST_DAY_MS, wronglyPutOff } from '../check-change.ts'
import type { DueLimits } from '../store.ts'

interface DialectParts {
  readonly adapter: () => DialectAdapter
  readonly compiler: () => QueryCompiler
  readonly introspector: (database: Kysely<never>) => ReturnType<Dialect['createIntrospector']>
  readonly read: (query: CompiledQuery) => Promise<unknown[]> | unknown[]
}

/**
 * Kysely over a function that reads. Kysely compiles every statement, but runs only those that seldom run. These only read:
 * what writes shares a transaction with others.
 */
export function readingDialect({ adapter, compiler, introspector, read }: DialectParts): Dialect {
  const connection = connectionOf(read)
  return {
    createDriver: () => readingDriver(connection),
    createAdapter: adapter,
    createQueryCompiler: compiler,
    createIntrospector: introspector,
  }
}

function connectionOf(read: DialectParts['read']): DatabaseConnection {
  return {
    // Kysely's own types say what a query returns; the database cannot tell.
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      return { rows: (await read(query)) as Row[] }
    },
    streamQuery: () => {
      throw new Error('Queries of the store are read whole')
    },
  }
}

function readingDriver(connection: DatabaseConnection): Driver {
  return {
    acquireConnection: async () => connection,
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    init: async () => {},
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}

async function noTransactions(): Promise<never> {
  throw new Error('The store is written through its queue')
}

/** A value that a database takes or returns. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** Reads the values of a statement from its input, by the names of their slots. */
export type Readers<Input> = Readonly<Record<string, (input: Input) => SqlValue>>

/** A statement of `Store.pullBack`, with its values in their order. */
interface PullBackStatement {
  readonly text: string
  readonly values: readonly number[]
}

interface PullBackDialect {
  readonly table: (name: string) => string
  /** The placeholder of a value, by its place from 1. */
  readonly slot: (place: number) => string
  /** When a day begins that a column has as `YYYY-MM-DD`, in seconds since 1970. */
  readonly dayOf: (column: string) => string
}

/** For both databases. Which rows these change is decided by times alone, so that several nodes may do it at once. */
export function pullBackStatements(
  limits: DueLimits,
  { table, slot, dayOf }: PullBackDialect,
): readonly PullBackStatement[] {
  const { now, deliveryWaits, tryWaits, longestMs } = limits
  const { after, until } = wronglyPutOff(limits)
  const byCount = (name: string, count: string, where: string, waits: readonly number[]) =>
    waits.map((wait, at) => ({
      text:
        `UPDATE ${table(name)} SET due_at = ${slot(1)} WHERE due_at > ${slot(2)} ` +
        `AND ${count} ${at === waits.length - 1 ? '>=' : '='} ${slot(3)}${where}`,
      values: [Math.round(now + wait), Math.round(now + wait), at],
    }))
  return [
    ...byCount('deliveries', 'made', '', deliveryWaits),
    ...byCount('tasks', 'tried', ` AND (kind = 'lookup' OR (kind = 'charge' AND tried > 0))`, tryWaits),
    {
      text:
        `UPDATE ${table('tasks')} SET due_at = ${slot(1)} WHERE kind <> 'lookup' AND due_at > ${slot(2)} AND (due_at <= ${slot(3)} ` +
        `OR (kind <> 'charge' AND due_at > ${slot(4)}) OR (kind = 'charge' AND due_at > ${dayOf('charge_date')} * 1000 + ${slot(5)}))`,
      values: [now, after, until, now + longestMs, LONGEST_DAY_MS].map(Math.round),
    },
  ]
}
