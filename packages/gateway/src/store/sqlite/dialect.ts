import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database, SqlValue } from './database.ts'
import type { Tables } from './tables.ts'

export type Queries = Kysely<Tables>

/**
 * Kysely over one database of node:sqlite. It compiles every statement; those that are seldom run it runs as well.
 * Those only read: what writes shares a transaction with others, in the commit queue.
 */
export function queriesOf(database: Database): Queries {
  const connection = new Connection(database)
  const dialect: Dialect = {
    createDriver: () => new ReadingDriver(connection),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return new Kysely<Tables>({ dialect })
}

class Connection implements DatabaseConnection {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#database.prepare(sql)
    statement.setReadBigInts(true)
    // Kysely's own types say what a query gives; SQLite cannot tell.
    return { rows: statement.all(...(parameters as SqlValue[])) as Row[] }
  }

  /** Nothing here is read in a stream. */
  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Queries of the store are read whole')
  }
}

class ReadingDriver implements Driver {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  acquireConnection = async () => this.#connection
  beginTransaction = noTransactions
  commitTransaction = noTransactions
  rollbackTransaction = noTransactions
  init = async () => {}
  releaseConnection = async () => {}
  destroy = async () => {}
}

async function noTransactions(): Promise<never> {
  throw new Error('The store is written through its commit queue')
}
