import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { readingDialect } from '../sql/dialect.ts'
import type { Queries, Tables } from '../sql/tables.ts'
import { type AskTools, ask } from './retry.ts'

/** Kysely over the connections. */
export function queriesOf(tools: AskTools): Queries {
  const dialect = readingDialect({
    adapter: () => new PostgresAdapter(),
    compiler: () => new PostgresQueryCompiler(),
    introspector: (queries) => new PostgresIntrospector(queries),
    read: async ({ sql, parameters }) => [...(await ask({ text: sql, values: parameters }, tools)).rows],
  })
  return new Kysely<Tables>({ dialect })
}
