import { compilers, type Migration } from '@tallystick/durable/schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connections } from '../../src/store/postgres/connections.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { first } from '../../src/store/sql/migrations/0001-first.ts'
import { quickTime } from '../support/quick-time.ts'
import { card, delivery, NOW, opening, order, reference, task, updating } from './changes.ts'
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

const queries = compilers().postgresql

const to = (schema: string, migrations?: readonly Migration[]) =>
  migrate(schema, { connections, time: quickTime() }, migrations)

/** `feature_not_supported`: a prepared statement would return other columns than before. */
const PLAN_NO_LONGER_FITS = '0A000'

const EVERY_TABLE = [
  'orders',
  'operations',
  'postings',
  'deliveries',
  'tasks',
  'cards',
  'card_references',
  'recurring_payments',
  'nonces',
  'nodes',
  'node_marks',
  'key_checks',
  'forgotten_nonces',
  'probe',
  'operator_records',
]

/** A migration step that a later release could have. */
const step = (worksWith: number): Migration => ({
  version: 2,
  name: 'later',
  worksWith,
  statements: (_dialect, schema = '') => [
    ...EVERY_TABLE.map((table) => sql`alter table ${sql.id(schema, table)} add column note text`.compile(queries)),
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

/** Notes the codes of the server's refusals. */
const noting = (codes: unknown[], there: Connections): Connections => ({
  ...there,
  take: async () => {
    const connection = await there.take()
    return {
      ...connection,
      query: (statement) =>
        connection.query(statement).catch((error) => {
          codes.push(error.code)
          throw error
        }),
    }
  },
})

test('a step that adds something runs under load, and old and new nodes go on side by side', async () => {
  const schema = database.newSchema()
  const codes: unknown[] = []
  const old = await database.node(schema, { connect: () => noting(codes, database.connections()) })
  const [waiting, stored] = [order(2000), { card: card('card-1'), reference: reference('reference-1', 'card-1') }]
  const [callback, hold] = [delivery(waiting), task(waiting)]
  await old.commit({ ...opening(waiting), deliveries: [callback], tasks: [hold] }, NOW)
  await old.commit({ cards: [stored.card], references: [stored.reference] }, NOW)
  const claim = { now: NOW, until: NOW, limit: 10 }
  const claimed = async () => [await old.claimDeliveries(claim), await old.claimTasks(claim)]
  const read = async () => [await old.card('card-1'), await old.cardReference('shop', 'reference-1')]
  const digits = Array.from({ length: 300 }, (_, at) => at)
  const load = Promise.all(
    digits.map(async (at) => {
      await Promise.all([claimed(), read()])
      await old.commit(opening(order(at)), NOW)
      return await old.commit(updating(order(at), {}), NOW)
    }),
  )
  await claimed()
  await read()
  await to(schema, [first, step(1)])
  expect((await load).every(({ ok }) => ok)).toBe(true)
  const another = await database.node(schema)
  expect(await versions(schema)).toEqual([1, 2])
  expect(await another.commit(opening(order(1000)), NOW)).toEqual({ ok: true })
  expect(await old.orderById(order(1000).orderId)).toEqual(order(1000))
  expect(await claimed()).toEqual([[callback], [hold]])
  expect(await read()).toEqual([stored.card, stored.reference])
  expect(await old.isReady()).toBe(true)
  expect(codes).not.toContain(PLAN_NO_LONGER_FITS)
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
      sql`alter table nowhere add column note text`.compile(queries),
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
