import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { delivery, NOW, opening, operation, order, postings, task } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

const GUIDE = new URL('../../../../docs/postgresql.md', import.meta.url)

/** The statement of the guide by which an operator deletes old orders. */
function deletion(schema: string): string {
  const fences = [...readFileSync(GUIDE, 'utf8').matchAll(/```sql\n(.*?)```/gs)].map(([, text = '']) => text)
  const found = fences.find((text) => text.includes('DELETE FROM'))
  return (found ?? '').replaceAll('tallystick.', `${schema}.`).replace("'test-login'", "'shop'")
}

const YEAR_MS = 365 * 86_400_000

test('the guide deletes old orders with all that belongs to them, and nothing that anybody waits for', async () => {
  const schema = database.newSchema()
  const store = await database.node(schema)
  const long = Date.now() - 3 * YEAR_MS
  const approved = { createdAt: long, operations: [operation({ status: 'approved' })] }
  const [over, young, waiting, open, sent] = [
    order(1, approved),
    order(2, approved),
    order(3, approved),
    order(4, approved),
    order(5, { createdAt: long }),
  ]
  const told = delivery(over, { state: 'acknowledged', dueAt: undefined })
  await store.commit({ ...opening(over), postings: postings(over, 1042n), deliveries: [told] }, long)
  await store.commit(opening(young), Date.now() - YEAR_MS)
  await store.commit({ ...opening(waiting), tasks: [task(waiting, { dueAt: NOW })] }, long)
  await store.commit({ ...opening(open), deliveries: [delivery(open)] }, long)
  await store.commit(opening(sent), long)
  await database.ask(deletion(schema))
  const left = await Promise.all([over, young, waiting, open, sent].map(({ orderId }) => store.orderById(orderId)))
  expect(left.map((each) => each !== undefined)).toEqual([false, true, true, true, true])
  const rest = await database.ask(`SELECT (SELECT count(*)::int FROM ${schema}.operations) AS operations,
    (SELECT count(*)::int FROM ${schema}.postings) AS postings, (SELECT count(*)::int FROM ${schema}.deliveries) AS deliveries`)
  expect(rest).toEqual([{ operations: 4, postings: 0, deliveries: 1 }])
})

test('the guide names every table that there is', async () => {
  const schema = database.newSchema()
  await database.node(schema)
  const tables = await database.ask(`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = '${schema}'`)
  const guide = readFileSync(GUIDE, 'utf8')
  expect(tables.length).toBeGreaterThan(10)
  expect(tables.map(({ name }) => String(name)).filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})
