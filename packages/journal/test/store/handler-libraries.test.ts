import { DatabaseSync } from 'node:sqlite'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core'
import { drizzle as sqliteDrizzle } from 'drizzle-orm/sqlite-proxy'
import createKnex from 'knex'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { PoolClient } from 'pg'
import postgres from 'postgres'
import { DataSource, EntitySchema } from 'typeorm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqliteJournalStore } from '../../src/index.ts'
import { withOutcomes } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { postgresWorld } from './postgres-world.ts'

const { url, open, inShop } = postgresWorld()
const inFolder = ownFolder()

type Row = { key: string; invoice: string }
type Book<Transaction> = (row: Row, transaction: Transaction) => unknown

const rowOf = ({ key, businessKey }: JournalOutcome): Row => ({ key, invoice: businessKey })

/** Calls a handler until it is done. The first time it throws after it has written. */
async function throwOnce<Transaction>(store: JournalStore<Transaction>, book: Book<Transaction>) {
  const [outcome] = await withOutcomes(store, 'invoice 77')
  if (outcome === undefined) throw new Error('there is no outcome')
  const failing = store.deliver(outcome, 1, async (transaction) => {
    await book(rowOf(outcome), transaction)
    throw new Error('the handler failed after its write')
  })
  await expect(failing).rejects.toThrow('the handler failed after its write')
  expect(await store.deliver(outcome, 2, async (transaction) => void (await book(rowOf(outcome), transaction)))).toBe(
    'done',
  )
}

const paidOnPostgres = pgTable('paid', { key: text().notNull(), invoice: text().notNull() })
const paidOnSqlite = sqliteTable('paid', { key: sqliteText().notNull(), invoice: sqliteText().notNull() })
const Paid = new EntitySchema<Row>({
  name: 'paid',
  columns: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
})

/** TypeORM on connections of its own. */
async function typeOrm(): Promise<DataSource> {
  const [, schema = ''] = new URL(url()).searchParams.get('options')?.split('search_path=') ?? []
  const source = await new DataSource({ type: 'postgres', url: url(), schema, entities: [Paid] }).initialize()
  onTestFinished(() => source.destroy())
  return source
}

const building = <Table extends object>(dialect: 'postgres' | 'sqlite') =>
  new Kysely<Table>({
    dialect: {
      createAdapter: () => (dialect === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) =>
        dialect === 'sqlite' ? new SqliteIntrospector(database) : new PostgresIntrospector(database),
      createQueryCompiler: () => (dialect === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  })

/** As the guide "Booking outcomes with your database library" writes on the connection that the handler is given. */
const ON_POSTGRES: Readonly<Record<string, Book<PoolClient>>> = {
  pg: ({ key, invoice }, client) => client.query('insert into paid (key, invoice) values ($1, $2)', [key, invoice]),
  Drizzle: (row, client) => drizzle(client).insert(paidOnPostgres).values(row),
  Knex: (row, client) => createKnex({ client: 'pg' })('paid').connection(client).insert(row),
  Kysely: (row, client) => {
    const { sql, parameters } = building<{ paid: Row }>('postgres').insertInto('paid').values(row).compile()
    return client.query(sql, [...parameters])
  },
  "TypeORM's query builder": async (row, client) => {
    const source = await typeOrm()
    const [sql, parameters] = source.createQueryBuilder().insert().into(Paid).values(row).getQueryAndParameters()
    return client.query(sql, parameters)
  },
}

describe('A handler that throws once after its write', () => {
  test.each(Object.entries(ON_POSTGRES))(
    '[F-A3] books once with %s on the connection that it is given',
    async (_, book) => {
      await inShop('create table paid (key text not null, invoice text not null)')
      await throwOnce(open(), book)
      expect(await inShop('select invoice from paid')).toEqual([{ invoice: 'invoice 77' }])
    },
  )

  const builder = sqliteDrizzle(async () => ({ rows: [] }))
  const dialect = 'better-sqlite3' // it only builds: nothing is loaded or opened
  const knex = createKnex({ client: dialect, useNullAsDefault: true })
  const statements: Readonly<
    Record<string, (row: Row) => { readonly sql: string; readonly values: readonly unknown[] }>
  > = {
    'node:sqlite': ({ key, invoice }) => ({
      sql: 'insert into paid (key, invoice) values (?, ?)',
      values: [key, invoice],
    }),
    Drizzle: (row) => {
      const { sql, params } = builder.insert(paidOnSqlite).values(row).toSQL()
      return { sql, values: params }
    },
    Knex: (row) => {
      const { sql, bindings } = knex('paid').insert(row).toSQL().toNative()
      return { sql, values: bindings }
    },
    Kysely: (row) => {
      const { sql, parameters } = building<{ paid: Row }>('sqlite').insertInto('paid').values(row).compile()
      return { sql, values: parameters }
    },
  }

  test.each(Object.entries(statements))(
    '[F-A3] books once with a statement of %s in a SQLite file',
    async (_, build) => {
      const file = inFolder('shop.db')
      const shop = new DatabaseSync(file)
      onTestFinished(() => shop.close())
      shop.exec('create table paid (key text not null, invoice text not null)')
      const store = sqliteJournalStore({ file })
      onTestFinished(() => store.close())
      await throwOnce(store, (row, transaction) => {
        const { sql, values } = build(row)
        transaction.prepare(sql).run(...(values as string[]))
      })
      expect(shop.prepare('select invoice from paid').all()).toEqual([{ invoice: 'invoice 77' }])
    },
  )

  test('[F-A3] books twice with a repository of TypeORM, which has a connection of its own', async () => {
    await inShop('create table paid (key text not null, invoice text not null)')
    const source = await typeOrm()
    await throwOnce(open(), (row) => source.getRepository(Paid).insert(row))
    expect(await inShop('select invoice from paid')).toEqual([{ invoice: 'invoice 77' }, { invoice: 'invoice 77' }])
  })

  test('[F-A3] books once with TypeORM on a connection of its own, if the key of the outcome is unique', async () => {
    await inShop('create table paid (key text unique, invoice text); create table invoice (number text, times integer)')
    await inShop("insert into invoice values ('invoice 77', 0)")
    const source = await typeOrm()
    await throwOnce(open(), (row) =>
      source.transaction(async (manager) => {
        const insert = manager.createQueryBuilder().insert().into(Paid).values(row).orIgnore().returning('key')
        if ((await insert.execute()).raw.length === 0) return
        await manager.query('update invoice set times = times + 1 where number = $1', [row.invoice])
      }),
    )
    expect(await inShop('select number, times from invoice')).toEqual([{ number: 'invoice 77', times: 1 }])
  })

  test('[F-A3] books once with postgres.js, which has connections of its own, if the key of the outcome is unique', async () => {
    await inShop('create table paid (key text unique, invoice text); create table invoice (number text, times integer)')
    await inShop("insert into invoice values ('invoice 77', 0)")
    const [, path = ''] = new URL(url()).searchParams.get('options')?.split('search_path=') ?? []
    const address = new URL(url())
    address.search = ''
    const sql = postgres(address.href, { connection: { search_path: path } })
    onTestFinished(() => sql.end())
    await throwOnce(open(), ({ key, invoice }) =>
      sql.begin(async (tx) => {
        const { count } = await tx`insert into paid (key, invoice) values (${key}, ${invoice}) on conflict do nothing`
        if (count === 0) return
        await tx`update invoice set times = times + 1 where number = ${invoice}`
      }),
    )
    expect(await inShop('select number, times from invoice')).toEqual([{ number: 'invoice 77', times: 1 }])
  })
})
