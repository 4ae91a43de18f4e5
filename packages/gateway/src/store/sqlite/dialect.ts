import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { readingDialect } from '../sql/reading-dialect.ts'
import type { Queries, Tables } from '../sql/tables.ts'
import type { Database, SqlValue } from './database.ts'
import { prepare } from './prepare.ts'

/** Kysely over one database of node:sqlite. */
export function queriesOf(database: Database): Queries {
  const dialect = readingDialect({
    adapter: () => new SqliteAdapter(),
    compiler: () => new SqliteQueryCompiler(),
    introspector: (queries) => new SqliteIntrospector(queries),
    read: ({ sql, parameters }) => prepare(database, sql).all(...(parameters as SqlValue[])),
  })
  return new Kysely<Tables>({ dialect })
}
