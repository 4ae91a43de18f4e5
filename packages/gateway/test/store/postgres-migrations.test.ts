import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connections } from '../../src/store/postgres/connections.ts'
import { queriesOf } from '../../src/store/postgres/dialect.ts'
import { first } from '../../src/store/postgres/migrations/0001-first.ts'
import { migrate } from '../../src/store/postgres/migrations/migrate.ts'
import type { Migration } from '../../src/store/postgres/migrations/migration.ts'
import { quickTime } from '../support/quick-time.ts'
import { NOW, opening, order, updating } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
let connections: Connections

beforeAll(async () => {
  database = await postgresDatabase()
  connections = database.connections()
})
afterAll(async () => {
  await connections.close()
  await database.close()
})

const to = (schema: string, migrations?: readonly Migration[]) => {
  const tools = { connections, time: quickTime() }
  return migrate({ queries: queriesOf(tools), schema }, tools, migrations)
}

/** A step that a later release could have. */
const step = (worksWith: number): Migration => ({
  version: 2,
  name: 'later',
  worksWith,
  statements: (queries, schema) => [
    sql`alter table ${sql.id(schema, 'orders')} add column note text`.compile(queries),
    sql`create table ${sql.id(schema, 'notes')} (note text)`.compile(queries),
  ],
})

const versions = async (schema: string) =>
  (await database.ask(`SELECT version FROM ${schema}.schema_version ORDER BY version`)).map((row) =>
    Number(row['version']),
  )

test('nodes that start at once make the tables once', async () => {
  const schema = database.newSchema()
  await Promise.all([to(schema), to(schema), to(schema)])
  expect(await versions(schema)).toEqual([1])
})

test('a step that adds is made under load, and old and new nodes go on side by side', async () => {
  const schema = database.newSchema()
  const old = await database.node(schema)
  const digits = Array.from({ length: 300 }, (_, at) => at)
  const load = Promise.all(
    digits.map(async (at) => {
      await old.commit(opening(order(at)), NOW)
      return await old.commit(updating(order(at), {}), NOW)
    }),
  )
  await to(schema, [first, step(1)])
  expect((await load).every(({ ok }) => ok)).toBe(true)
  const another = await database.node(schema)
  expect(await versions(schema)).toEqual([1, 2])
  expect(await another.commit(opening(order(1000)), NOW)).toEqual({ ok: true })
  expect(await old.orderById(order(1000).orderId)).toEqual(order(1000))
})

test('an old node does not start on a schema that it cannot work on', async () => {
  const schema = database.newSchema()
  await to(schema, [first, step(2)])
  await expect(database.node(schema)).rejects.toMatchObject({ code: 'NEWER' })
})

test('a step that fails leaves nothing behind', async () => {
  const schema = database.newSchema()
  await to(schema)
  const broken = {
    ...step(1),
    statements: (...given: Parameters<Migration['statements']>) => [
      ...step(1).statements(...given),
      sql`alter table nowhere add column note text`.compile(given[0]),
    ],
  }
  await expect(to(schema, [first, broken])).rejects.toThrow('nowhere')
  expect(await versions(schema)).toEqual([1])
  await to(schema, [first, step(1)])
  expect(await versions(schema)).toEqual([1, 2])
})

test('the schema of another program is left alone', async () => {
  const schema = database.newSchema()
  await database.ask(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.orders (id int)`)
  await expect(database.node(schema)).rejects.toMatchObject({ code: 'FOREIGN' })
})
