import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { type FailingConnections, failingConnections } from '../support/failing-connections.ts'
import { NOW, order } from './changes.ts'
import { BEFORE, WRITES } from './every-write.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
let network: FailingConnections
let schema: string
let store: Store

beforeAll(async () => {
  database = await postgresDatabase()
  network = failingConnections()
  schema = database.newSchema()
  store = await database.node(schema, { connect: () => network.around(database.connections()), cachedOrders: 0 })
  for (const change of BEFORE) await store.commit(change, NOW)
  for (const write of Object.values(WRITES)) await write(store)
  await askEverything()
})
afterAll(() => database.close())

/** Every question that a gateway asks while it serves. A sandbox also sorts all orders of a merchant (`recentOrders`). */
async function askEverything(): Promise<void> {
  const names = { login: 'shop', clientOrderId: 'invoice-1' }
  await store.findOrder(names)
  await store.findOrder({ ...names, serialNumber: 'serial-1' })
  await store.orderById(order(1).orderId)
  await store.orderByPageToken('token')
  await store.listOrders({ limit: 9, login: 'shop', endpointId: '253', since: NOW - 9, until: NOW + 9 })
  await store.listOrders({ limit: 9, last: [{ status: 'unknown' }], after: { at: NOW, id: order(1).orderId } })
  await store.listOrders({ limit: 9, clientOrderId: 'invoice-1' })
  await store.listGivenUp({ limit: 9, login: 'shop', since: NOW - 9, after: { at: NOW, id: '1' } })
  await store.postingsOf(order(1).orderId)
  await store.deliveriesOf(order(1).orderId)
  await store.tasksOf(order(1).orderId)
  await store.listDue(9)
  await store.nextDueAt()
  await store.card('card-1')
  await store.cardReference('shop', 'reference')
  await store.recurringPayment('shop', 'recurring')
  await store.recurringPaymentById('of recurring')
  await store.sentOrders(NOW, 9)
  await store.cluster?.takeAbandonedOperations(9, () => true)
}

const PLANNED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i
const TABLES = 'orders|operations|postings|deliveries|tasks|cards|card_references|recurring_payments|nonces'
const WHOLE_TABLE = new RegExp(`Seq Scan on (${TABLES})\\b`)

/** Each statement that was sent, with its plan for any values. */
async function plans(): Promise<readonly (readonly [text: string, plan: string])[]> {
  const found: [string, string][] = []
  for (const text of network.texts()) {
    if (!PLANNED.test(text)) continue
    const rows = await database.ask(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`)
    found.push([text, rows.map((row) => row['QUERY PLAN']).join('\n')])
  }
  return found
}

const scans = async () => (await plans()).filter(([, plan]) => WHOLE_TABLE.test(plan))

test('no statement reads a whole table, among many orders', async () => {
  expect((await plans()).length).toBeGreaterThan(30)
  await fill(21_000)
  expect(await scans()).toEqual([])
}, 120_000)

/** Adds many copies of the existing rows. */
async function fill(count: number): Promise<void> {
  const rows = `FROM generate_series(1, ${count}) AS n`
  const statements = [
    `INSERT INTO ${schema}.orders SELECT (jsonb_populate_record(model, jsonb_build_object('seq', 1000000 + n,
      'order_id', 'filled-' || n, 'client_order_id', 'filled-' || n, 'page_token', 'filled-' || n))).*
      ${rows}, ${schema}.orders AS model WHERE model.order_id = '${order(1).orderId}'`,
    `INSERT INTO ${schema}.operations SELECT (jsonb_populate_record(model, jsonb_build_object('order_seq', 1000000 + n,
      'status', 'approved'))).* ${rows}, ${schema}.operations AS model
      WHERE (order_seq, position) = (SELECT min(order_seq), 0 FROM ${schema}.operations)`,
    `INSERT INTO ${schema}.postings SELECT 1000000 + n, 0, 'payer', 1, 'EUR', 1 ${rows}`,
    `INSERT INTO ${schema}.deliveries SELECT 1000000 + n, 'd', 'url', 1, ${NOW} + n, 0, 1, 'open' ${rows}`,
    `INSERT INTO ${schema}.tasks SELECT 'filled-' || n, ${NOW} + n, 'release', 1000000 + n, NULL, NULL, NULL, 0 ${rows}`,
    `INSERT INTO ${schema}.cards SELECT (jsonb_populate_record(model, jsonb_build_object('card_id', 'filled-' || n))).*
      ${rows}, ${schema}.cards AS model WHERE model.card_id = 'card-1'`,
    `INSERT INTO ${schema}.card_references SELECT 'filled-' || n, 'shop', 'filled-' || n, 'card', 1 ${rows}`,
    `INSERT INTO ${schema}.recurring_payments SELECT 'filled-' || n, 'shop', 'filled-' || n, 'filled-' || n, 1, '{}' ${rows}`,
    `INSERT INTO ${schema}.nonces SELECT n, 'shop', 'n' ${rows}`,
  ]
  // Without checks of foreign keys: what the rows refer to exists, or nothing reads it.
  await database.ask('SET session_replication_role = replica')
  for (const statement of statements) await database.ask(statement)
  await database.ask('ANALYZE')
}
