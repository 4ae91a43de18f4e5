/**
 * Measures what follows a sale.
 *
 * - `statuses`: CPU time of a status over HTTP among 1,000 orders on SQLite and among 300,000
 * - `callbacks`: a callback up to its 200, stored on SQLite, against bare and empty handlers: requests per second and CPU time
 * - `year`: a year of 1,000 monthly schedules under the virtual clock, from the card in the vault to the callback of each charge
 *
 * The first and the last were measured from the sources (`--conditions=@tallystick/source`), callbacks from the build.
 *
 *     node bench/order.ts [statuses] [callbacks] [year]
 */
import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { createGateway, memoryStore, newVaultKeys, readVaultKeys, simulator, virtualClock } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import type { Store } from '@tallystick/gateway/store'
import { measure, printTable, type Row, recordOf, size, temporaryFolder } from './kit/measure.ts'
import { leastTimes, ROUNDS, type Server, startEach, startServer, stop } from './kit/processes.ts'
import { callback, FIRST_ORDER_ID, merchant, recurringPayment, status } from './kit/requests.ts'
import type { ShopSetUp } from './kit/shop-servers.ts'
import { orderIdOf, salesFrom, sell } from './kit/store-rows.ts'

const folder = temporaryFolder()

const FEW = 1_000
const MANY = size(300_000, 3_000)

/** Numbers of orders, spread over all of them and the same in every run. */
const numberOf = (index: number, orders: number) => (index * 7_919) % orders

const byBoth = (number: number) => status(`invoice-${number}`, orderIdOf(number))
const byOne = (number: number) => status(`invoice-${number}`)

async function filledServer(orders: number): Promise<Server> {
  const file = join(folder, `${orders}.db`)
  const store = sqliteStore({ file })
  await sell(store, salesFrom(0, orders))
  await store.close()
  return await startServer('gateway-servers.ts', { ...merchant, kind: 'gateway', file })
}

async function statuses(): Promise<void> {
  const [few, many] = [await filledServer(FEW), await filledServer(MANY)]
  const { cpu: times } = await leastTimes((body) => assert.match(body, /"status": ?"approved"/), {
    fewByBoth: [few, (index) => byBoth(numberOf(index, FEW))],
    manyByBoth: [many, (index) => byBoth(numberOf(index, MANY))],
    fewByOne: [few, (index) => byOne(numberOf(index, FEW))],
    manyByOne: [many, (index) => byOne(numberOf(index, MANY))],
  })
  printTable('CPU time of the gateway for a status over HTTP, 64 connections', [
    { what: `by both ids, of ${FEW}`, figure: times.fewByBoth, unit: 'us' },
    { what: `of ${MANY}, against it`, figure: times.manyByBoth / times.fewByBoth, unit: 'times', goal: 'at most 1.2' },
    { what: `by client order id, of ${FEW}`, figure: times.fewByOne, unit: 'us' },
    { what: `of ${MANY}, against it`, figure: times.manyByOne / times.fewByOne, unit: 'times', goal: 'at most 1.2' },
  ])
  stop(few, many)
}

async function callbacks(): Promise<void> {
  const orders = size(2000, 200)
  const { controlKey } = merchant
  const kinds = ['bare', 'journal', 'emptyExpress', 'ourExpress', 'emptyNest', 'ourNest'] as const
  const servers = await startEach(kinds, (kind) => {
    const setUp: ShopSetUp = { kind, controlKey, folder, orders, rounds: ROUNDS, firstOrderId: FIRST_ORDER_ID }
    return startServer('shop-servers.ts', setUp)
  })
  const contest = recordOf(kinds, (kind) => [servers[kind], callback] as const)
  const { cpu, wall } = await leastTimes((body) => assert.equal(body, 'OK'), contest, orders)
  const compared = (times: typeof cpu, rate: string): readonly Row[] => [
    { what: 'bare node:http, query parsed, one row committed', figure: times.bare, unit: 'us' },
    { what: `journal: ${rate}`, figure: times.bare / times.journal, unit: 'times', goal: 'at least 0.5' },
    { what: 'empty Express handler that stores the same rows', figure: times.emptyExpress, unit: 'us' },
    {
      what: `express-adapter: ${rate}`,
      figure: times.emptyExpress / times.ourExpress,
      unit: 'times',
      goal: 'at least 0.85',
    },
    { what: 'empty Nest handler that stores the same rows', figure: times.emptyNest, unit: 'us' },
    { what: `nest-module: ${rate}`, figure: times.emptyNest / times.ourNest, unit: 'times', goal: 'at least 0.85' },
  ]
  printTable('A callback over HTTP, stored on SQLite, 64 connections: time', compared(wall, 'requests per second'))
  printTable('The same: CPU time of the server', compared(cpu, 'callbacks for the same CPU time'))
  stop(...Object.values(servers))
}

const SCHEDULES = size(1_000, 50)
const MONTHS = 12
/** The day before the first charge. */
const CREATED = Date.UTC(2029, 11, 31)
/** The schedules are spread over the days 1 to 28 of the month. */
const dayOf = (number: number) => 1 + (number % 28)

/** In seconds. */
interface Cost {
  readonly wall: number
  readonly cpu: number
}

/** A callback, and when it arrived by the gateway's clock. */
interface Arrival {
  readonly clientOrderId: string
  readonly at: number
}

/** Checks that every charge was made at its instant, and that the callbacks came in the order of the months. */
async function yearOn(store: Store): Promise<Cost> {
  const arrivals: Arrival[] = []
  const clock = virtualClock(CREATED)
  const { baseUrl, login, controlKey, publicKey, endpointId: id } = merchant
  const gateway = createGateway({
    publicUrl: baseUrl,
    merchants: [{ login, controlKey, publicKey, endpoints: [{ id }] }],
    store,
    acquirer: simulator(),
    vaultKeys: readVaultKeys(newVaultKeys((bytes) => void randomFillSync(bytes), 'bench').reveal()),
    clock,
    sendCallback: async (url) => {
      arrivals.push({ clientOrderId: new URL(url).searchParams.get('client_orderid') ?? '', at: clock.now() })
      return { status: 200 }
    },
    onError: (error) => {
      throw error
    },
  })
  const ids: string[] = []
  for (let number = 0; number < SCHEDULES; number++) {
    const day = String(dayOf(number)).padStart(2, '0')
    const { url, headers, body: form } = await recurringPayment(number, `2030-01-${day}`, clock)
    const { body } = await gateway.handle({ method: 'POST', url: new URL(url).pathname, headers, body: form })
    ids.push(JSON.parse(body)['recurring-payment-id'])
  }
  const cost = await timed(async () => {
    await gateway.settled()
    await gateway.clock.advance('366d')
    await gateway.settled()
  })
  await requireWhole(store, ids, arrivals)
  await gateway.close()
  return cost
}

async function timed(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const wall = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / 1e6 }
}

async function requireWhole(store: Store, ids: readonly string[], arrivals: readonly Arrival[]): Promise<void> {
  assert.equal(arrivals.length, SCHEDULES * MONTHS)
  assert.deepEqual(
    arrivals,
    arrivals.toSorted((one, other) => one.at - other.at),
  )
  const last = new Map<string, number>()
  for (const { clientOrderId, at } of arrivals) {
    const [id = '', number] = clientOrderId.split('-')
    assert.equal(Number(number), (last.get(id) ?? 0) + 1)
    assert.equal(new Date(at).getUTCMonth(), Number(number) - 1)
    last.set(id, Number(number))
  }
  for (const [number, id] of ids.entries()) {
    for (let month = 0; month < MONTHS; month++) {
      const order = await store.findOrder({ login: merchant.login, clientOrderId: `${id}-${month + 1}` })
      assert.equal(order?.createdAt, Date.UTC(2030, month, dayOf(number)))
      assert.equal(order.operations[0]?.status, 'approved')
    }
  }
}

async function year(): Promise<void> {
  const costs = {
    memory: await yearOn(memoryStore()),
    sqlite: await yearOn(sqliteStore({ file: join(folder, 'gateway.db') })),
  }
  const charges = SCHEDULES * MONTHS
  const goal = 'seconds'
  printTable(`A year of ${SCHEDULES} monthly schedules, ${charges} charges with callbacks`, [
    { what: 'in memory', figure: costs.memory.wall, unit: 's', goal },
    { what: 'in memory, CPU time of a charge', figure: (costs.memory.cpu * 1e6) / charges, unit: 'us' },
    { what: 'SQLite, durable', figure: costs.sqlite.wall, unit: 's', goal },
    { what: 'SQLite, CPU time of a charge', figure: (costs.sqlite.cpu * 1e6) / charges, unit: 'us' },
  ])
}

await measure({ statuses, callbacks, year })
