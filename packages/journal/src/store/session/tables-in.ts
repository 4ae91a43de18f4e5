import type { InSchema } from './in-schema.ts'
import type { Database, Run, SqlServer } from './server.ts'

/** The tables of a database, which are made at their first use. */
export interface TablesIn {
  /** Makes the tables once, and gives their schema. If that fails, the next caller tries again. */
  ready(): Promise<string>
  /**
   * Within a transaction of the merchant's. The tables are those of the store's own connections: the merchant's may be of another
   * pool, with another `search_path`.
   *
   * @param isFull whether the merchant may hold the last connection of the pool: then it is one of the pool, and another one is taken
   *   only if the tables are still to be made
   */
  readyOn(run: Run, isFull: boolean): Promise<string>
}

export function tablesIn(
  { migrate, usableSchema }: Pick<SqlServer, 'migrate' | 'usableSchema'>,
  database: Database,
  { schema }: InSchema,
): TablesIn {
  let tables: Promise<string> | undefined
  let known: string | undefined

  function ready(): Promise<string> {
    tables ??= migrate(database, { schema }).then(
      (migrated) => {
        known = migrated.schema
        return known
      },
      (error: unknown) => {
        tables = undefined
        throw error
      },
    )
    return tables
  }

  return {
    ready,
    readyOn: async (run, isFull) => {
      if (isFull) known ??= await usableSchema(run, { schema })
      return known ?? (await ready())
    },
  }
}

const MAX_DELIVERIES = 4

/**
 * How many handlers may run at once with a pool of so many connections. A handler has a connection for itself and may ask the same
 * pool for another: all handlers never take more than half.
 */
export function deliveriesOf(connections: number): number {
  return Math.min(MAX_DELIVERIES, Math.max(1, Math.floor((connections - 1) / 2)))
}
