import type { JournalStore } from '@tallystick/client/ports'
import { type TestDatabase, testDatabase } from '@tallystick/test-postgres'
import pg, { type PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { postgresJournalStore } from '../../src/postgres.ts'
import { withOutcomes } from '../intents.ts'
import { freshSchema, runIn } from './postgres-schema.ts'

type Store = JournalStore<PoolClient>

/** An empty schema for each test of a file, and what is opened there, closed after it. */
export function postgresWorld() {
  let database: TestDatabase
  let url = ''
  const opened: { close(): Promise<void> }[] = []
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    url = await freshSchema(database)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()))
  })

  return {
    /** To the schema of this test. */
    url: () => url,
    /** As another process has it: with connections of its own. */
    open: (connectionString = url): Store => {
      const store = postgresJournalStore({ connectionString })
      opened.push(store)
      return store
    },
    /** Statements of the shop, each on a connection that ends after them. */
    inShop: (statements: string) => runIn(url, statements),
    /** Empties the schema of this test. */
    wipe: async () => {
      const [, schema] = new URL(url).searchParams.get('options')?.split('=') ?? []
      await runIn(url, `drop schema ${schema} cascade; create schema ${schema}`)
    },
    /** A connection of the shop. */
    shopClient: async (): Promise<PoolClient> => {
      const pool = new pg.Pool({ connectionString: url, max: 1 })
      const client = await pool.connect()
      const close = async () => {
        client.release()
        await pool.end()
      }
      opened.push({ close })
      return client
    },
    /** Ends all connections of the journal, as a server does that is restarted. */
    cut: () =>
      runIn(
        database.url,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'tallystick-journal'`,
      ),
  }
}

export async function withOutcome(store: Store) {
  const [outcome] = await withOutcomes(store, 'order-a')
  if (outcome === undefined) throw new Error('none')
  return outcome
}
