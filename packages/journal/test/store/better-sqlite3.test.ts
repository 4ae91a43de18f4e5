import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client/ports'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { betterSqlite3JournalStore } from '../../src/better-sqlite3.ts'
import { drizzleJournalStore } from '../../src/drizzle.ts'
import { HandlerTimeoutError } from '../../src/runtime/concurrency.ts'
import { intentWith, withOutcomes } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { journalStoreSuite } from './suite.ts'

/** What the tests use of it. */
interface Database {
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(sql: string): Statement
  exec(sql: string): unknown
  close(): unknown
  defaultSafeIntegers(): unknown
  transaction<Result>(work: () => Result): () => Result
}

interface Statement {
  all(...values: unknown[]): unknown[]
  run(...values: unknown[]): unknown
  safeIntegers(toggle: boolean): Statement
}

const Library = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Database

const inFolder = ownFolder()

function open(file = inFolder('shop.db')): Database {
  const database = new Library(file)
  onTestFinished(() => void database.close())
  return database
}

/** A journal beside the shop's own connection, with the shop's table. */
function shop(): { readonly database: Database; readonly store: JournalStore<Database>; paid(): unknown[] } {
  const database = open()
  database.exec('create table paid (key text primary key, invoice text)')
  const store = betterSqlite3JournalStore(database)
  onTestFinished(() => store.close())
  return { database, store, paid: () => database.prepare('select key from paid order by key').all() }
}

async function outcomeIn(store: JournalStore<Database>) {
  const [outcome] = await withOutcomes(store, 'order-a')
  if (outcome === undefined) throw new Error('there is no outcome')
  return outcome
}

const book = (transaction: Database, key: string) =>
  void transaction.prepare('insert into paid (key, invoice) values (?, ?)').run(key, 'invoice 77')

describe('The journal on better-sqlite3', () => {
  describe('does what every store does:', () => {
    journalStoreSuite(() => {
      const database = new Library(inFolder('shop.db'))
      database.defaultSafeIntegers()
      const store = betterSqlite3JournalStore(database)
      const close = async () => {
        await store.close()
        database.close()
      }
      return { ...store, close }
    })
  })

  test('[F-A3] books once, if the handler throws after its write', async () => {
    const { store, paid } = shop()
    const outcome = await outcomeIn(store)
    const failing = store.deliver(outcome, 1, (transaction) => {
      book(transaction, 'first')
      throw new Error('after its write')
    })
    await expect(failing).rejects.toThrow('after its write')
    expect(await store.deliver(outcome, 2, (transaction) => book(transaction, 'second'))).toBe('done')
    expect(await store.deliver(outcome, 3, (transaction) => book(transaction, 'third'))).toBe('not-mine')
    expect(paid()).toEqual([{ key: 'second' }])
  })

  test('books with Drizzle and with Kysely on the transaction', async () => {
    const { store, paid } = shop()
    const table = sqliteTable('paid', { key: text(), invoice: text() })
    const outcome = await outcomeIn(store)
    await store.deliver(outcome, 1, async (transaction) => {
      drizzle({ client: transaction as never })
        .insert(table)
        .values({ key: 'drizzle', invoice: '77' })
        .run()
      const db = new Kysely<{ paid: { key: string } }>({
        dialect: new SqliteDialect({ database: transaction as never }),
      })
      await db.insertInto('paid').values({ key: 'kysely' }).execute()
    })
    expect(paid()).toEqual([{ key: 'drizzle' }, { key: 'kysely' }])
  })

  test('gives the handler of a shop on Drizzle a database with its schema, and takes its transaction', async () => {
    const { database, paid } = shop()
    const table = sqliteTable('paid', { key: text().primaryKey(), invoice: text() })
    const db = drizzle({ client: database as never, schema: { table } })
    const store = drizzleJournalStore(db)
    onTestFinished(() => store.close())
    const [outcome] = await withOutcomes(store, 'order-a')
    if (outcome === undefined) throw new Error('there is no outcome')
    const failing = store.deliver(outcome, 1, (transaction) => {
      transaction.insert(table).values({ key: 'first' }).run()
      throw new Error('no stock')
    })
    await expect(failing).rejects.toThrow('no stock')
    await store.deliver(outcome, 2, (transaction) => {
      transaction.insert(table).values({ key: 'second' }).run()
      expect(transaction.query.table.findMany({ columns: { key: true } }).sync()).toEqual([{ key: 'second' }])
    })
    db.run('begin immediate')
    expect(await store.insert(intentWith({ clientOrderId: 'order-b' }), db)).toEqual({ ok: true })
    expect(await store.ofOrder('order-b', db)).toMatchObject([{ clientOrderId: 'order-b' }])
    db.run('rollback')
    expect([await store.find('intent-1'), paid()]).toEqual([undefined, [{ key: 'second' }]])
  })

  test('lets the shop write at once, whatever is delivered, if its handlers wait for nothing', async () => {
    const { database, store, paid } = shop()
    const outcome = await outcomeIn(store)
    const delivered = store.deliver(outcome, 1, (transaction) => book(transaction, 'handler'))
    for (let n = 0; n < 50; n++) {
      database.prepare('insert into paid (key) values (?)').run(`shop ${n}`)
      await new Promise(setImmediate)
    }
    expect(await delivered).toBe('done')
    expect(paid()).toHaveLength(51)
  })

  test('refuses what a handler writes after its time is over', async () => {
    const { store, paid } = shop()
    const outcome = await outcomeIn(store)
    let late: () => void = () => {}
    const timedOut = store.deliver(outcome, 1, (transaction) => {
      book(transaction, 'first')
      late = () => book(transaction, 'late')
      throw new HandlerTimeoutError('The handler', 1, Promise.resolve())
    })
    await expect(timedOut).rejects.toThrow('did not end within 1 ms')
    expect(late).toThrow('not open')
    expect(await store.deliver(outcome, 2, (transaction) => book(transaction, 'second'))).toBe('done')
    expect(paid()).toEqual([{ key: 'second' }])
  })

  test('writes an intent in a transaction of the shop, and nothing of it after a rollback', async () => {
    const { database, store, paid } = shop()
    await store.counts()
    for (const end of ['rollback', 'commit']) {
      database.exec('begin immediate')
      expect(await store.insert(intentWith(), database)).toEqual({ ok: true })
      book(database, end)
      database.exec(end)
    }
    expect([await store.find('intent-1'), paid()]).toEqual([intentWith(), [{ key: 'commit' }]])
  })

  test('finds out that node:sqlite has the file as well', async () => {
    const { store } = shop()
    await store.insert(intentWith())
    const other = new DatabaseSync(inFolder('shop.db'))
    onTestFinished(() => other.close())
    other.prepare('select * from paid').all()
    const another = () => betterSqlite3JournalStore(open())
    expect(another).toThrow(/betterSqlite3JournalStore: .* which does not see the locks of better-sqlite3/)
  })

  test('refuses a database in memory', () => {
    expect(() => betterSqlite3JournalStore(open(':memory:'))).toThrow('the database must be a file')
  })

  test('names itself and the file, if other tables are in the way', () => {
    const database = open()
    database.exec('create table journal_intents (other text)')
    expect(() => betterSqlite3JournalStore(database)).toThrow(/betterSqlite3JournalStore: cannot open .*shop\.db/)
  })
})
