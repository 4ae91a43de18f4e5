import type { JournalStore } from '@tallystick/client/ports'
import { checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
import { ignore } from '@tallystick/durable/postgres-pool'
import type { Pool, PoolClient } from 'pg'
import { filledText } from '../../intents/endpoint.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import { execute, journalPool } from './connection.ts'
import { migrate, usableSchema } from './migrate.ts'
import { longestIdle, reading, transaction } from './transaction.ts'

interface InSchema {
  /**
   * The schema of the tables, which is made if it is not there: one of its own, such as `payments`, keeps them from the shop's
   * migration tool. Default: by the connection's `search_path`; if that names a schema that is not there, the first use throws.
   */
  readonly schema?: string | undefined
}

/** The database of a journal, by address or by a pool of your own, and the schema of its tables. */
export type PostgresJournalOptions = InSchema & Connected

type Connected =
  | {
      /** Such as `postgres://shop@db.example.com/shop`. The store opens connections of its own, and closes them. */
      readonly connectionString: string
      readonly pool?: undefined
    }
  | {
      /** The shop's own pool. The shop ends it. Unless the shop listens for the errors of its idle connections, they are ignored. */
      readonly pool: Pool
      readonly connectionString?: undefined
    }

/**
 * A journal in a PostgreSQL database, which any number of processes share. Every write is durable when it resolves, even if
 * the server is set to answer earlier. The tables are made, or brought to the newest version, at the first use.
 *
 * The handler's transaction is a connection of the pool with an open transaction: what it writes there takes effect together
 * with the note that it ran. It must not end that transaction, nor release the connection.
 *
 * @throws TypeError for a wrong option, and when there is neither a connection string nor a pool
 */
export function postgresJournalStore(options: PostgresJournalOptions): JournalStore<PoolClient> {
  const { pool, end } = poolOf(options)
  const { schema } = options
  let tables: Promise<string> | undefined
  let known: string | undefined

  /** Makes the tables once, and gives their schema. If that fails, the next caller tries again. */
  function ready(): Promise<string> {
    tables ??= migrate(pool, { schema }).then(
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

  /**
   * The tables are those of the store's own connections: the merchant's may be of another pool, with another `search_path`. If the
   * merchant holds the last connection of the pool, it is one of the pool, and another one is taken only if the tables are still
   * to be made.
   */
  async function readyOn(client: PoolClient): Promise<string> {
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max
    if (isFull) known ??= await usableSchema(client, { schema })
    return known ?? (await ready())
  }

  return sqlJournalStore<PoolClient>('postgresql', {
    maxDeliveries: deliveriesOf(pool),
    read: async (work) => {
      const place = await ready()
      return await reading(pool, (client) => execute(client, place, work()))
    },
    write: async (work) => {
      const place = await ready()
      return await transaction(pool, (client) => execute(client, place, work()))
    },
    within: async (client, work) => await execute(client, await readyOn(client), work()),
    around: async (work, handler, limitMs) => {
      const place = await ready()
      const takenAndTold = async (client: PoolClient) => {
        const isTaken = await execute(client, place, work())
        if (isTaken) await withinTransaction(client, handler)
        return isTaken
      }
      return await transaction(pool, takenAndTold, longestIdle(limitMs))
    },
    close: end,
  })
}

const MAX_DELIVERIES = 4

/** A handler has a connection for itself and may ask the same pool for another: all handlers never take more than half. */
function deliveriesOf({ options }: Pool): number {
  return Math.min(MAX_DELIVERIES, Math.max(1, Math.floor((options.max - 1) / 2)))
}

/** @throws Error when the handler has ended the transaction that it was given */
async function withinTransaction(
  client: PoolClient,
  handler: (transaction: PoolClient) => void | Promise<void>,
): Promise<void> {
  await handler(client)
  if (client.getTransactionStatus() !== 'I') return
  throw new Error('The handler must not end the transaction: what it writes belongs to the note that it ran')
}

/** PostgreSQL silently cuts a longer name. */
const MOST_BYTES = 63
const SCHEMA: Validator = {
  wanted: `a text of 1 to ${MOST_BYTES} bytes that does not begin with pg_, such as 'payments'`,
  isRight: (value) =>
    typeof value === 'string' &&
    value.trim() === value &&
    value.isWellFormed() &&
    !/^$|^pg_|\p{Cc}/iu.test(value) &&
    Buffer.byteLength(value) <= MOST_BYTES,
}

const KINDS: Validators<PostgresJournalOptions> = {
  connectionString: filledText('postgres://shop@db.example.com/shop'),
  pool: validator.withMethods('a pool of pg', 'connect', 'query', 'on'),
  schema: SCHEMA,
}

function poolOf(options: PostgresJournalOptions): { readonly pool: Pool; end(): Promise<void> } {
  checkOptions('postgresJournalStore', options, KINDS)
  const { connectionString, pool } = options
  if (pool !== undefined && connectionString !== undefined) {
    throw new TypeError('postgresJournalStore: connectionString and pool exclude each other: give one of them')
  }
  if (pool !== undefined) {
    if (pool.listenerCount('error') === 0) pool.on('error', ignore)
    return { pool, end: async () => {} }
  }
  if (connectionString === undefined) throw new TypeError('postgresJournalStore: give a connectionString or a pool')
  const own = journalPool(connectionString)
  let ended: Promise<void> | undefined
  return {
    pool: own,
    // A process may get two signals, and a pool of pg throws if it is ended again.
    end: () => {
      ended ??= own.end()
      return ended
    },
  }
}
