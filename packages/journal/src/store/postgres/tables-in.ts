import type { Validator } from '@tallystick/core/internal'
import type { Run } from './connection.ts'
import { migrate, usableSchema } from './migrate.ts'
import type { Database } from './transaction.ts'

/** Where the tables are. */
export interface InSchema {
  /**
   * The schema of the tables, which is made if it is not there: one of its own, such as `payments`, keeps them from the shop's
   * migration tool. Default: by the connection's `search_path`; if that names a schema that is not there, the first use throws.
   */
  readonly schema?: string | undefined
}

/** PostgreSQL silently cuts a longer name. */
const MOST_BYTES = 63
export const SCHEMA: Validator = {
  wanted: `a text of 1 to ${MOST_BYTES} bytes that does not begin with pg_, such as 'payments'`,
  isRight: (value) =>
    typeof value === 'string' &&
    value.trim() === value &&
    value.isWellFormed() &&
    !/^$|^pg_|\p{Cc}/iu.test(value) &&
    Buffer.byteLength(value) <= MOST_BYTES,
}

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

export function tablesIn(database: Database, { schema }: InSchema): TablesIn {
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
