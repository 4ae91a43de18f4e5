import { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client/ports'
import { sqliteJournalStore } from '@tallystick/journal'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import pg from 'pg'

/** A transaction of the shop, as its database library has it. */
export type Shop = DatabaseSync | pg.PoolClient

/** A database that has the orders of a shop beside its journal. */
export interface Place {
  readonly name: string
  /** A process's own connections to the journal. */
  open(): JournalStore<Shop>
  /** Begins a transaction. `undefined`: another one is open, and this database has one at a time. */
  begin(): Promise<ShopTransaction | undefined>
  /** Notes that the handler was called for a key. */
  note(transaction: Shop, key: string): Promise<void>
  /** The keys of the orders that are committed, and those of which the handler has heard, one for each time. */
  committed(): Promise<readonly string[]>
  heard(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ShopTransaction {
  readonly of: Shop
  /** Writes the shop's own order. */
  order(key: string): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Sends the commit, and loses the connection before its answer: whether it took effect, only the tables tell. */
  commitUnheard(): Promise<void>
  /** The process has died. */
  hangUp(): Promise<void>
}

const TABLES = 'create table orders (key text not null); create table effects (key text not null)'

export function sqlitePlace(file: string): Place {
  const stores: JournalStore<Shop>[] = []
  const own = new DatabaseSync(file)
  own.exec(`pragma journal_mode = wal; ${TABLES}`)
  const keys = (table: string) =>
    own
      .prepare(`select key from ${table}`)
      .all()
      .map(({ key }) => String(key))
  return {
    name: 'SQLite',
    open: () => {
      const store = sqliteJournalStore({ file }) as JournalStore<Shop>
      stores.push(store)
      return store
    },
    begin: async () => {
      const database = new DatabaseSync(file, { timeout: 0 })
      try {
        database.exec('begin immediate')
      } catch {
        database.close()
        return undefined
      }
      const end = (sql?: string) => async () => {
        if (!database.isOpen) return
        if (sql !== undefined) database.exec(sql)
        database.close()
      }
      return {
        of: database,
        order: async (key) => void database.prepare('insert into orders values (?)').run(key),
        commit: end('commit'),
        rollback: end('rollback'),
        commitUnheard: end('commit'),
        hangUp: end(),
      }
    },
    note: async (transaction, key) => {
      if (transaction instanceof DatabaseSync) transaction.prepare('insert into effects values (?)').run(key)
    },
    committed: async () => keys('orders'),
    heard: async () => keys('effects'),
    close: async () => {
      for (const store of stores) await store.close()
      own.close()
    },
  }
}

export async function postgresPlace(connectionString: string): Promise<Place> {
  const pool = new pg.Pool({ connectionString, max: 12 })
  // Connections that their processes have lost.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await pool.query(TABLES)
  const keys = async (table: string) =>
    (await pool.query(`select key from ${table}`)).rows.map(({ key }) => String(key))
  return {
    name: 'PostgreSQL',
    open: () => postgresJournalStore({ pool }) as JournalStore<Shop>,
    begin: async () => {
      const client = await pool.connect()
      await client.query('begin')
      let isOver = false
      const end =
        (sql?: string, isLost = sql === undefined) =>
        async () => {
          if (isOver) return
          isOver = true
          const answer = sql === undefined ? undefined : client.query(sql)
          if (!isLost) await answer
          answer?.catch(() => {})
          client.release(isLost)
        }
      return {
        of: client,
        order: async (key) => void (await client.query('insert into orders values ($1)', [key])),
        commit: end('commit'),
        rollback: end('rollback'),
        commitUnheard: end('commit', true),
        hangUp: end(),
      }
    },
    note: async (transaction, key) => {
      if (!(transaction instanceof DatabaseSync)) await transaction.query('insert into effects values ($1)', [key])
    },
    committed: () => keys('orders'),
    heard: () => keys('effects'),
    close: () => pool.end(),
  }
}
