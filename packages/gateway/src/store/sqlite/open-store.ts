import { closeUnlessLeft } from '@tallystick/durable/file-guard'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { KeyCheck, KeyFingerprints } from '../key-fingerprints.ts'
import { type Readers, readingDialect } from '../sql/dialect.ts'
import { OrderCache } from '../sql/order-cache.ts'
import { isKeyInUse, notedKeys, RECORD_INSERT } from '../sql/queries.ts'
import type { Queries, Tables } from '../sql/tables.ts'
import { cardTable, postingTable } from './cards.ts'
import type { CommitQueue } from './commit-queue.ts'
import { type Database, type OpenDatabase, prepare, preparedStatement, type SqlValue, slotsOf } from './database.ts'
import { type LockOwner, lockOwnerOf } from './lock-owner.ts'
import { migrate } from './migrate.ts'
import { nonceTable } from './nonce-table.ts'
import { aloneOn, explained, openDatabase } from './open-database.ts'
import { orderTable } from './orders.ts'
import { selfTest } from './self-test.ts'
import { agendaTable } from './tasks.ts'
import type { StoreTables } from './write-change.ts'

/** A file that is locked, has the newest schema, and has passed the self-test. */
export interface OpenStore {
  readonly database: Database
  readonly queries: Queries
  readonly tables: StoreTables
  readonly cache: OrderCache
  readonly holder: LockOwner
}

interface OpenStoreOptions {
  readonly open: OpenDatabase
  readonly cachedOrders: number
  readonly spareNonces: number
}

/**
 * Opens a file, and makes what works on it. If anything fails, the file is closed.
 *
 * @throws StoreError
 */
export function openStore<Made>(
  file: string,
  { open, cachedOrders, spareNonces }: OpenStoreOptions,
  make: (open: OpenStore) => Made,
): Made {
  const database = openDatabase(file, open)
  try {
    return explained(file, () => {
      aloneOn(database)()
      const holder = lockOwnerOf(file)
      holder.write()
      const queries = queriesOf(database)
      migrate(database, file)
      const cache = new OrderCache(cachedOrders)
      const tables = storeTables(database, queries, { cache, spareNonces })
      selfTest({ file, database, tables, cache })
      return make({ database, queries, tables, cache, holder })
    })
  } catch (error) {
    closeUnlessLeft(database)
    throw error
  }
}

function storeTables(
  database: Database,
  queries: Queries,
  { cache, spareNonces }: Pick<OpenStoreOptions, 'spareNonces'> & Pick<OpenStore, 'cache'>,
): StoreTables {
  return {
    orders: orderTable(database, queries, cache),
    postings: postingTable(database, queries),
    agenda: agendaTable(database, queries),
    cards: cardTable(database, queries),
    nonces: nonceTable(database, queries, spareNonces),
    records: preparedStatement(
      database,
      RECORD_INSERT,
      queries.insertInto('operator_records').values(slotsOf(RECORD_INSERT)),
    ),
  }
}

const KEY_CHECK = { key_name: ({ name }) => name, check_value: ({ value }) => value } satisfies Readers<KeyCheck>

export function keyFingerprintsOf(database: Database, queries: Queries, queue: CommitQueue): KeyFingerprints {
  const write = preparedStatement(
    database,
    KEY_CHECK,
    queries
      .insertInto('key_checks')
      .values(slotsOf(KEY_CHECK))
      .onConflict((conflict) => conflict.doNothing()),
  )
  return {
    note: async (checks) => {
      if (checks.length > 0) await queue.run(() => void checks.map((check) => write.run(check)))
      return await notedKeys(queries)
    },
    isInUse: (keyId) => isKeyInUse(queries, keyId),
  }
}

/** Kysely over one database of node:sqlite. */
function queriesOf(database: Database): Queries {
  const dialect = readingDialect({
    adapter: () => new SqliteAdapter(),
    compiler: () => new SqliteQueryCompiler(),
    introspector: (queries) => new SqliteIntrospector(queries),
    read: ({ sql, parameters }) => prepare(database, sql).all(...(parameters as SqlValue[])),
  })
  return new Kysely<Tables>({ dialect })
}
