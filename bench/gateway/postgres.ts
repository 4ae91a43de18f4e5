/**
 * Measures the store on PostgreSQL: commits with 64 in flight, against a bare `pg` program that sends the same statements with
 * the same rows in the same batches, and what an order costs among few and among many. A sale is two commits. The server is
 * durable, and on this machine. Run with a number for fewer than 1,000,000 orders.
 *
 *     node --conditions=@tallystick/source bench/gateway/postgres.ts
 */
import assert from 'node:assert/strict'
import { testServer } from '@tallystick/test-postgres'
import pg from 'pg'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import { printTable } from '../signing/table.ts'
import { bareProgram } from './bare-postgres.ts'
import { recordedStore } from './recorded-postgres.ts'
import { IN_FLIGHT, sell } from './sell.ts'
import { orderIdOf, saleOf } from './store-rows.ts'

const ROUNDS = 12
const SALES = 1_000
/** After a checkpoint, the first change of a page writes the whole page to the log. Until most are written, sales cost more. */
const ROUNDS_OF_WHOLE_PAGES = 20
const MANY = Number(process.argv[2] ?? 1_000_000)

const server = await testServer({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } })

const recorded = (schema: string) =>
  recordedStore(server.url, schema, (error) => {
    throw error
  })

/** Microseconds for each of this many times. */
async function timed(times: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return ((performance.now() - start) * 1000) / times
}

function middleOf(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN
}

const salesFrom = (first: number) => Array.from({ length: SALES }, (_, at) => saleOf(first + at))

async function benchCommits(): Promise<void> {
  const [{ store: noted, take }, { store }, { store: copied }] = [
    await recorded('recorded'),
    await recorded('store'),
    await recorded('bare'),
  ]
  const bare = await bareProgram(server.url, 'bare')
  const costs = { store: [] as number[], bare: [] as number[] }
  let batches = 0
  for (let round = 0; round < ROUNDS; round++) {
    const sales = salesFrom(round * SALES)
    await sell(noted, sales)
    const statements = take()
    batches += statements.filter(({ text }) => text === 'COMMIT').length
    costs.store.push(await timed(2 * SALES, () => sell(store, sales)))
    costs.bare.push(await timed(2 * SALES, () => bare.run(statements)))
  }
  assert.deepEqual(await store.orderById(orderIdOf(7)), saleOf(7).order)
  assert.deepEqual(await copied.orderById(orderIdOf(7)), saleOf(7).order)
  const [ours, theirs] = [Math.min(...costs.store), Math.min(...costs.bare)]
  await Promise.all([noted.close(), store.close(), copied.close(), bare.close()])
  printTable(`Commits, ${IN_FLIGHT} in flight`, [
    { what: 'changes that shared a commit', figure: (2 * SALES * ROUNDS) / batches, unit: '' },
    { what: 'PostgreSQL, durable', figure: 1e6 / ours, unit: 'a second' },
    { what: 'bare pg, the same statements', figure: 1e6 / theirs, unit: 'a second' },
    { what: 'rate against the bare program', figure: theirs / ours, unit: 'times', goal: 'at least 0.4' },
  ])
}

/** Fills a store with finished orders, within the server: copies of the rows of one sale under other names. */
async function fill(schema: string, from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const columns = async (table: string) => {
    const { rows } = await client.query(
      'SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
      [schema, table],
    )
    return rows.map(({ column_name }) => String(column_name))
  }
  const copy = async (table: string, changed: Readonly<Record<string, string>>, where: string) => {
    const names = await columns(table)
    const values = names.map((name) => changed[name] ?? `model.${name}`).join(', ')
    await client.query(
      `INSERT INTO ${schema}.${table} (${names.join(', ')}) SELECT ${values} FROM generate_series(${from}, ${to}) AS n,
       ${schema}.${table} AS model WHERE ${where}`,
    )
  }
  const seq = `(SELECT min(seq) FROM ${schema}.orders)`
  const far = '(10000000 + n)'
  const id = "(100000000000000 + (n::numeric * 618033988749895) % 900000000000000)::text || ''"
  await copy(
    'orders',
    {
      seq: far,
      order_id: id,
      client_order_id: "'filled-' || n",
      changed_at: 'model.changed_at - n',
      signed_as: 'md5(n::text)',
    },
    `seq = ${seq}`,
  )
  await copy(
    'cards',
    { card_id: "md5('card ' || n)", fingerprint: "md5('a' || n) || md5('b' || n)" },
    `card_id = (SELECT min(card_id) FROM ${schema}.cards)`,
  )
  for (const table of ['operations', 'postings']) await copy(table, { order_seq: far }, `order_seq = ${seq}`)
  await copy('deliveries', { order_seq: far, due_at: 'NULL' }, `order_seq = ${seq}`)
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  await client.end()
}

async function benchGrowth(): Promise<void> {
  const { store: few } = await recorded('few')
  const { store: many } = await recorded('many')
  let next = 0
  const round = async (store: Store) => {
    next += SALES
    const sales = salesFrom(5_000_000 + next)
    return await timed(SALES, () => sell(store, sales))
  }
  await round(few)
  await round(many)
  await fill('many', 1, MANY)
  const costs = { few: [] as number[], many: [] as number[] }
  for (let at = 0; at < ROUNDS_OF_WHOLE_PAGES + ROUNDS; at++) {
    costs.few.push(await round(few))
    costs.many.push(await round(many))
  }
  await Promise.all([few.close(), many.close()])
  const [small, large] = [middleOf(costs.few.slice(-ROUNDS)), middleOf(costs.many.slice(-ROUNDS))]
  printTable('What a sale costs, 64 in flight', [
    { what: `among ${ROUNDS_OF_WHOLE_PAGES * SALES} orders and more`, figure: small, unit: 'us' },
    { what: `among ${MANY} more`, figure: large, unit: 'us' },
    { what: 'more', figure: (large / small - 1) * 100, unit: '%', goal: 'at most 20' },
    { what: `the first ${SALES} after a checkpoint, among few`, figure: costs.few[0] ?? Number.NaN, unit: 'us' },
    { what: `the first ${SALES} after it, among many`, figure: costs.many[0] ?? Number.NaN, unit: 'us' },
  ])
}

try {
  await benchCommits()
  await benchGrowth()
} finally {
  await server.close()
}
