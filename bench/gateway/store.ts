import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { memoryStore } from '../../packages/gateway/src/store/memory/memory-store.ts'
import { sqliteStore } from '../../packages/gateway/src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import { printTable } from '../signing/table.ts'
import { bareProgram, recorder } from './recorded-statements.ts'
import { IN_FLIGHT, sell } from './sell.ts'
import { orderIdOf, saleOf } from './store-rows.ts'

/**
 * Measures the stores: commits with 64 in flight, against a bare program that runs the same statements in the same batches, and
 * look-ups among few orders and many. A look-up is part of a status request, and only the time of the whole request has a goal. A
 * sale is two commits. Rounds take turns, and the best of each counts. Run with a number for fewer than 300,000 orders.
 */

const ROUNDS = 10
const SALES = 1_000
const FEW = 1_000
const MANY = Number(process.argv[2] ?? 300_000)
const LOOK_UPS = 2_000

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const fileOf = (name: string) => join(folder, `${name}.db`)

/** In microseconds. */
interface Cost {
  readonly wall: number
  readonly cpu: number
}

async function timed(times: number, work: () => Promise<void> | void): Promise<Cost> {
  const cpu = process.threadCpuUsage()
  const start = performance.now()
  await work()
  const wall = (performance.now() - start) * 1000
  const { user, system } = process.threadCpuUsage(cpu)
  return { wall: wall / times, cpu: (user + system) / times }
}

function best(costs: readonly Cost[]): Cost {
  return { wall: Math.min(...costs.map(({ wall }) => wall)), cpu: Math.min(...costs.map(({ cpu }) => cpu)) }
}

/** Tables in which two files differ, in either direction. */
function differences(one: string, other: string): readonly string[] {
  const database = new DatabaseSync(one)
  database.prepare('ATTACH ? AS other').run(other)
  const tables = database.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'").all()
  const differing = tables.filter(({ name }) => {
    const [here, there] = [`SELECT * FROM main.${String(name)}`, `SELECT * FROM other.${String(name)}`]
    return database
      .prepare(`SELECT 1 FROM (${here} EXCEPT ${there}) UNION ALL SELECT 1 FROM (${there} EXCEPT ${here})`)
      .get()
  })
  database.close()
  return differing.map(({ name }) => String(name))
}

async function benchCommits(): Promise<void> {
  await sqliteStore({ file: fileOf('empty') }).close()
  for (const name of ['store', 'recorded', 'bare']) copyFileSync(fileOf('empty'), fileOf(name))
  const { open, take } = recorder()
  const stores = { memory: memoryStore(), sqlite: sqliteStore({ file: fileOf('store') }) }
  const recorded = sqliteStore({ file: fileOf('recorded'), open })
  const bare = bareProgram(fileOf('bare'))
  const costs: Record<'memory' | 'sqlite' | 'bare', Cost[]> = { memory: [], sqlite: [], bare: [] }
  take()
  for (let round = 0; round < ROUNDS; round++) {
    const sales = Array.from({ length: SALES }, (_, at) => saleOf(round * SALES + at))
    await sell(recorded, sales)
    const statements = take()
    costs.memory.push(await timed(2 * SALES, () => sell(stores.memory, sales)))
    costs.sqlite.push(await timed(2 * SALES, () => sell(stores.sqlite, sales)))
    costs.bare.push(await timed(2 * SALES, () => bare.run(statements)))
  }
  for (const store of [stores.memory, stores.sqlite])
    assert.deepEqual(await store.orderById(orderIdOf(7)), saleOf(7).order)
  await Promise.all([stores.sqlite.close(), recorded.close()])
  bare.close()
  assert.deepEqual(differences(fileOf('store'), fileOf('bare')), [])
  const [memory, sqlite, alone] = [best(costs.memory), best(costs.sqlite), best(costs.bare)]
  printTable(`Commits, ${IN_FLIGHT} in flight`, [
    { what: 'in memory', figure: 1e6 / memory.wall, unit: 'a second' },
    { what: 'SQLite, durable', figure: 1e6 / sqlite.wall, unit: 'a second' },
    { what: 'bare node:sqlite, the same statements', figure: 1e6 / alone.wall, unit: 'a second' },
    { what: 'SQLite against the bare program, time', figure: sqlite.wall / alone.wall, unit: 'times' },
    { what: 'in memory, CPU time', figure: memory.cpu, unit: 'us' },
    { what: 'SQLite, CPU time', figure: sqlite.cpu, unit: 'us' },
    { what: 'bare node:sqlite, CPU time', figure: alone.cpu, unit: 'us' },
    { what: 'SQLite against the bare program, CPU time', figure: sqlite.cpu / alone.cpu, unit: 'times' },
  ])
}

async function filled(name: string, orders: number): Promise<Store> {
  const store = sqliteStore({ file: fileOf(name) })
  for (let first = 0; first < orders; first += 1_000) {
    await sell(
      store,
      Array.from({ length: Math.min(1_000, orders - first) }, (_, at) => saleOf(first + at)),
    )
  }
  return store
}

/** Numbers of orders, spread over all of them and the same in every run. */
const spread = (at: number, orders: number) => (at * 7_919) % orders

const lookUps: Readonly<Record<string, (store: Store, number: number) => Promise<{ orderId: string } | undefined>>> = {
  'client order id': (store, number) => store.findOrder({ login: 'shop', clientOrderId: `invoice-${number}` }),
  'order id': (store, number) => store.orderById(orderIdOf(number)),
  'serial number': (store, number) => {
    const [operation] = saleOf(number).order.operations
    const names = { login: 'shop', clientOrderId: `invoice-${number}`, serialNumber: operation?.serialNumber }
    return store.findOrder(names)
  },
}

async function lookUp(store: Store, orders: number, ask: (typeof lookUps)[string], start: number): Promise<void> {
  for (let at = start; at < start + LOOK_UPS; at++) {
    const number = spread(at, orders)
    const order = await ask(store, number)
    if (order?.orderId !== orderIdOf(number)) throw new Error('another order was found')
  }
}

async function benchLookUps(): Promise<void> {
  const few = await filled('few', FEW)
  const many = await filled('many', MANY)
  const rows = []
  for (const [name, ask] of Object.entries(lookUps)) {
    const costs: Record<'few' | 'many', Cost[]> = { few: [], many: [] }
    for (let round = 0; round < 2 * ROUNDS; round++) {
      costs.few.push(await timed(LOOK_UPS, () => lookUp(few, FEW, ask, round * LOOK_UPS)))
      costs.many.push(await timed(LOOK_UPS, () => lookUp(many, MANY, ask, round * LOOK_UPS)))
    }
    const [small, large] = [best(costs.few), best(costs.many)]
    rows.push({ what: `by ${name}, of ${FEW}`, figure: small.cpu, unit: 'us' })
    rows.push({ what: `by ${name}, of ${MANY}`, figure: large.cpu, unit: 'us' })
    rows.push({ what: `by ${name}, more`, figure: large.cpu - small.cpu, unit: 'us' })
  }
  await Promise.all([few.close(), many.close()])
  printTable('Look-ups, SQLite, CPU time', rows)
}

await benchCommits()
await benchLookUps()
