import { testDatabase } from '@tallystick/test-postgres'
import pg from 'pg'
import { type Connections, connectionsTo } from '../../src/store/postgres/connections.ts'
import type { OpenOptions } from '../../src/store/postgres/open-store.ts'
import { openPostgresStore, type PostgresStoreOptions, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { quickTime } from '../support/quick-time.ts'
import type { Opened } from './suite.ts'

/** One database for a file of tests; each store has a schema of its own in it. */
export async function postgresDatabase() {
  const database = await testDatabase()
  const others: Store[] = []
  let schemas = 0
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const ask = async (text: string): Promise<Record<string, unknown>[]> => (await client.query(text)).rows
  await ask(WITHOUT_END)
  const newSchema = () => {
    schemas += 1
    return `store_${schemas}`
  }
  return {
    url: database.url,
    newSchema,
    close: async () => {
      await Promise.all(others.map((store) => store.close()))
      await client.end()
      await database.close()
    },
    /** An empty store. */
    open: async (options: Partial<PostgresStoreOptions> = {}): Promise<Opened> => {
      const schema = newSchema()
      const another = async () => {
        const next = postgresStore({ connectionString: database.url, schema, jobs: false, ...options })
        await next.ready()
        return next
      }
      let store = await another()
      return {
        store,
        again: async () => {
          await store.close()
          store = await another()
          return store
        },
        end: () => store.close(),
      }
    },
    /**
     * One of several stores on this schema. It is closed at the end. Its time is not the server's, so its lease ends when a
     * test ends it, and never because a test takes long.
     */
    node: async (schema: string, options: Partial<OpenOptions> = {}): Promise<Store> => {
      const store = await openPostgresStore({
        schema,
        cachedOrders: 100,
        spareNonces: 100_000,
        connect: (each) => connectionsTo({ connectionString: database.url, most: 4, ...each }),
        time: quickTime(),
        startJobs: undefined,
        onError: () => {},
        ...options,
      })
      others.push(store)
      await ask(leasesWithoutEnd(schema))
      return store
    },
    connections: (): Connections => connectionsTo({ connectionString: database.url, most: 4 }),
    /** Executes a statement that no store would send, and returns its rows. */
    ask,
    /** Deletes everything that was written, which is quicker than another schema. */
    empty: (schema: string) =>
      ask(
        TABLES.map(([name]) => `DELETE FROM ${schema}.${name};`)
          .reverse()
          .join(' '),
      ),
    /** All rows, without the numbers by which they refer to each other. */
    rowsOf: (schema: string) => ask(TABLES.map(([name, key]) => rowsIn(schema, name, key)).join(' UNION ALL ')),
  }
}

const WITHOUT_END = `CREATE FUNCTION public.without_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.alive_until > clock_timestamp() THEN NEW.alive_until = 'infinity'; END IF;
    RETURN NEW;
  END $$`

const leasesWithoutEnd = (schema: string) => `CREATE OR REPLACE TRIGGER without_end BEFORE INSERT OR UPDATE
    ON ${schema}.nodes FOR EACH ROW EXECUTE FUNCTION public.without_end();
  UPDATE ${schema}.nodes SET alive_until = alive_until`

/** A table comes after those that it refers to. */
const TABLES = [
  ['orders', 'seq'],
  ['operations', 'order_seq'],
  ['postings', 'order_seq'],
  ['deliveries', 'order_seq'],
  ['cards', 'card_id'],
  ['card_references', 'reference_id'],
  ['recurring_payments', 'login'],
  ['tasks', 'order_seq'],
  ['nonces', 'nonce'],
] as const

function rowsIn(schema: string, name: string, key: string): string {
  if (!key.endsWith('seq'))
    return `(SELECT '${name}' AS name, to_jsonb(row) AS row FROM ${schema}.${name} AS row ORDER BY row)`
  return `(SELECT '${name}', to_jsonb(row) - '${key}' || jsonb_build_object('id', orders.order_id)
    FROM ${schema}.${name} AS row JOIN ${schema}.orders ON orders.seq = row.${key} ORDER BY 2)`
}

export type PostgresDatabase = Awaited<ReturnType<typeof postgresDatabase>>
