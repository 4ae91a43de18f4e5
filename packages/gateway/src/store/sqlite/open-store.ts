import { RECORD_INSERT } from '../sql/cold-queries.ts'
import { OrderCache } from '../sql/order-cache.ts'
import type { Queries } from '../sql/tables.ts'
import { cardTable } from './card-table.ts'
import type { Database, OpenDatabase } from './database.ts'
import { queriesOf } from './dialect.ts'
import { type Holder, holderOf } from './lock-owner.ts'
import { migrate } from './migrations/migrate.ts'
import { nonceTable } from './nonce-table.ts'
import { explained, openDatabase } from './open-database.ts'
import { orderTable } from './order-table.ts'
import { aloneOn, closeUnlessLeft } from './other-library.ts'
import { postingTable } from './posting-table.ts'
import { hotStatement, slotsOf } from './prepared-statement.ts'
import { selfTest } from './self-test.ts'
import { agendaTable } from './task-table.ts'
import type { StoreTables } from './write-change.ts'

/** A file that is locked, has the newest schema, and has passed the self-test. */
export interface OpenStore {
  readonly database: Database
  readonly queries: Queries
  readonly tables: StoreTables
  readonly cache: OrderCache
  readonly holder: Holder
}

export interface OpenStoreOptions {
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
      const holder = holderOf(file)
      holder.write()
      const queries = queriesOf(database)
      migrate(database, queries, file)
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
    records: hotStatement(
      database,
      RECORD_INSERT,
      queries.insertInto('operator_records').values(slotsOf(RECORD_INSERT)),
    ),
  }
}
