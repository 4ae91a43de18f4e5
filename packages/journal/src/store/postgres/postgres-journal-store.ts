import type { JournalStore } from '@tallystick/client/ports'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { ignore } from '@tallystick/durable/sqlstate'
import type { Pool, PoolClient } from 'pg'
import { filledText } from '../../intents/endpoint.ts'
import { type InSchema, SCHEMA } from '../session/in-schema.ts'
import { endedByHandler, execute as executeOn, type Run } from '../session/server.ts'
import { deliveriesOf, tablesIn } from '../session/tables-in.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import type { Work } from '../statements/work.ts'
import { runOn } from './connection.ts'
import { journalPool } from './own-pool.ts'
import { postgresServer } from './postgres-server.ts'
import { aloneOn, BEGIN, databaseOf, longestIdle, preparedOn, transaction } from './transaction.ts'

const execute = <Result>(run: Run, schema: string, work: Work<Result>) => executeOn(postgresServer, run, schema, work)

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
  const names = preparedOn()
  const database = databaseOf(pool, names)
  const { read, write } = database
  const tables = tablesIn(postgresServer, database, options)

  return sqlJournalStore<PoolClient>('postgresql', {
    maxDeliveries: deliveriesOf(pool.options.max),
    read: async (work) => {
      const place = await tables.ready()
      return await read((run) => execute(run, place, work()))
    },
    write: async (work) => {
      const place = await tables.ready()
      return await write((run) => execute(run, place, work()))
    },
    alone: {
      requireFree: () => {},
      each: async (work) => {
        const place = await tables.ready()
        return await aloneOn(database, (run, isAgain) => execute(run, place, work(isAgain)))
      },
    },
    within: async (client, work) => {
      const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max
      return await execute(runOn(client), await tables.readyOn(runOn(client), isFull), work())
    },
    around: async (work, handler, limitMs) => {
      const place = await tables.ready()
      const takenAndTold = async (client: PoolClient) => {
        const isTaken = await execute(runOn(client, names.nameOf), place, work(longestIdle(limitMs)))
        if (isTaken) await withinTransaction(client, handler)
        return isTaken
      }
      // Its first statement takes the outcome, and brings the settings.
      return await transaction(pool, takenAndTold, names, BEGIN)
    },
    close: end,
  })
}

/** @throws Error when the handler has ended the transaction that it was given */
async function withinTransaction(
  client: PoolClient,
  handler: (transaction: PoolClient) => void | Promise<void>,
): Promise<void> {
  await handler(client)
  if (client.getTransactionStatus() === 'I') throw endedByHandler()
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
