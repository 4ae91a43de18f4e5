/**
 * Measures sales on PostgreSQL, which is durable and on this machine.
 *
 * - `rate`: sales over HTTP on one node, against a bare `pg` program that sends the same statements in the same batches
 * - `commits`: the same at the store, with 64 sales in flight. A sale is two commits
 * - `growth`: what a sale costs at the store among few orders and among 1,000,000
 *
 *     node --conditions=@tallystick/source bench/postgres.ts [rate] [commits] [growth]
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresStore } from '@tallystick/gateway/postgres'
import type { Store } from '@tallystick/gateway/store'
import { type TestServer, testServer } from '@tallystick/test-postgres'
import pg from 'pg'
import type { GatewaySetUp } from './kit/gateway-servers.ts'
import { measure, printTable, size } from './kit/measure.ts'
import { bareProgram, recordCommits, serverCosts } from './kit/postgres.ts'
import { ask, CONNECTIONS, type Make, makeAll, send, startServer, stop } from './kit/processes.ts'
import { merchant, sale } from './kit/requests.ts'
import { IN_FLIGHT, orderIdOf, saleOf, salesFrom, sell } from './kit/store-rows.ts'

const ORDERS = size(5_000, 500)
const RATE_ROUNDS = size(3, 1)
const STORE_ROUNDS = size(12, 2)
const SALES = size(1_000, 200)
/** After a checkpoint, the first change of a page writes the whole page to the log. Until most are written, sales cost more. */
const ROUNDS_OF_WHOLE_PAGES = size(20, 2)
const MANY = size(1_000_000, 5_000)
const QUIET_LOOK_MS = 250

/** Runs a part on a server of its own. */
function onServer(part: (server: TestServer) => Promise<void>): () => Promise<void> {
  return async () => {
    const server = await testServer({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } })
    try {
      await part(server)
    } finally {
      await server.close()
    }
  }
}

const startNode = (database: GatewaySetUp['database']) =>
  startServer('gateway-servers.ts', { ...merchant, kind: 'gateway', database })

/** Sends a request for each order: microseconds for each. */
async function load(port: number, run: string, make: Make, expected: RegExp): Promise<number> {
  const requests = await makeAll(ORDERS, (index) => make(index, run))
  return await send(port, requests, (body) => assert.match(body, expected))
}

async function quiet({ isQuiet }: { readonly isQuiet: () => Promise<boolean> }): Promise<void> {
  while (!(await isQuiet())) await pause(QUIET_LOOK_MS)
}

const accepted = /"type": ?"async-response"/

async function rate({ url }: TestServer): Promise<void> {
  const noted = await startNode({ url, schema: 'noted', isRecorded: true })
  const plain = await startNode({ url, schema: 'plain' })
  stop(await startNode({ url, schema: 'bare' }))
  const database = await serverCosts(url, 'noted')
  const least = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY }
  for (let round = 0; round <= RATE_ROUNDS; round++) {
    await load(noted.port, `noted${round}-`, sale, accepted)
    await quiet(database)
    const { took } = await ask<{ took: number }>(noted, { bareInto: 'bare' })
    const ours = await load(plain.port, `plain${round}-`, sale, accepted)
    // The first round only warms up.
    if (round === 0) continue
    least.ours = Math.min(least.ours, ours)
    least.bare = Math.min(least.bare, took / ORDERS)
  }
  stop(noted, plain)
  await database.close()
  printTable(`Sales over HTTP on one node, ${CONNECTIONS} connections`, [
    { what: 'sales', figure: 1e6 / least.ours, unit: 'a second' },
    { what: 'bare pg, the same rows in the same batches', figure: 1e6 / least.bare, unit: 'a second' },
    { what: 'rate against the bare program', figure: least.bare / least.ours, unit: 'times', goal: 'at least 0.4' },
  ])
}

async function openStore({ url }: TestServer, schema: string): Promise<Store> {
  const store = postgresStore({
    connectionString: url,
    schema,
    jobs: false,
    onError: (error) => {
      throw error
    },
  })
  await store.ready()
  return store
}

/** Microseconds for each of this many times. */
async function timed(times: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return ((performance.now() - start) * 1000) / times
}

function middleOf(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN
}

async function commits(server: TestServer): Promise<void> {
  const take = recordCommits('noted')
  const noted = await openStore(server, 'noted')
  const store = await openStore(server, 'plain')
  const copied = await openStore(server, 'bare')
  const bare = await bareProgram(server.url, { from: 'noted', into: 'bare' })
  // The statements that create the tables do not count.
  take()
  const costs = { store: [] as number[], bare: [] as number[] }
  let batches = 0
  for (let round = 0; round < STORE_ROUNDS; round++) {
    const sales = [...salesFrom(round * SALES, SALES)]
    await sell(noted, sales.values())
    const statements = take()
    batches += statements.filter(({ text }) => text === 'COMMIT').length
    costs.store.push(await timed(2 * SALES, () => sell(store, sales.values())))
    costs.bare.push(await timed(2 * SALES, () => bare.run(statements)))
  }
  assert.deepEqual(await store.orderById(orderIdOf(7)), saleOf(7).order)
  assert.deepEqual(await copied.orderById(orderIdOf(7)), saleOf(7).order)
  const [ours, theirs] = [Math.min(...costs.store), Math.min(...costs.bare)]
  await Promise.all([noted.close(), store.close(), copied.close(), bare.close()])
  printTable(`Commits, ${IN_FLIGHT} in flight`, [
    { what: 'changes that shared a commit', figure: (2 * SALES * STORE_ROUNDS) / batches, unit: '' },
    { what: 'PostgreSQL, durable', figure: 1e6 / ours, unit: 'a second' },
    { what: 'bare pg, the same statements', figure: 1e6 / theirs, unit: 'a second' },
    { what: 'rate against the bare program', figure: theirs / ours, unit: 'times', goal: 'at least 0.4' },
  ])
}

async function growth(server: TestServer): Promise<void> {
  const few = await openStore(server, 'few')
  const many = await openStore(server, 'many')
  let next = 0
  const round = async (store: Store) => {
    next += SALES
    const sales = [...salesFrom(5_000_000 + next, SALES)]
    return await timed(SALES, () => sell(store, sales.values()))
  }
  await round(few)
  await round(many)
  await sell(many, salesFrom(10_000_000, MANY))
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  await client.end()
  const costs = { few: [] as number[], many: [] as number[] }
  for (let at = 0; at < ROUNDS_OF_WHOLE_PAGES + STORE_ROUNDS; at++) {
    costs.few.push(await round(few))
    costs.many.push(await round(many))
  }
  await Promise.all([few.close(), many.close()])
  const [small, large] = [middleOf(costs.few.slice(-STORE_ROUNDS)), middleOf(costs.many.slice(-STORE_ROUNDS))]
  printTable('What a sale costs, 64 in flight', [
    { what: `among ${ROUNDS_OF_WHOLE_PAGES * SALES} orders and more`, figure: small, unit: 'us' },
    { what: `among ${MANY} more`, figure: large, unit: 'us' },
    { what: 'more', figure: (large / small - 1) * 100, unit: '%', goal: 'at most 20' },
    { what: `the first ${SALES} after a checkpoint, among few`, figure: costs.few[0] ?? Number.NaN, unit: 'us' },
    { what: `the first ${SALES} after it, among many`, figure: costs.many[0] ?? Number.NaN, unit: 'us' },
  ])
}

await measure({ rate: onServer(rate), commits: onServer(commits), growth: onServer(growth) })
