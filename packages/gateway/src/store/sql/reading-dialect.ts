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

export interface DialectParts {
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
