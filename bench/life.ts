/**
 * Measures an order's life over HTTP: a sale, a sale with its callback delivered to a shop on this machine, and a status. CPU of the
 * gateway and its garbage; on PostgreSQL also CPU of the server, commits and log. The best of several rounds, in which all take turns.
 *
 *     node --conditions=@tallystick/source bench/life.ts [memory] [sqlite] [postgres]
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { testServer } from '@tallystick/test-postgres'
import type { GatewaySetUp } from './kit/gateway-servers.ts'
import { measure, printTable, type Row, recordOf, size, temporaryFolder } from './kit/measure.ts'
import { type ServerCost, serverCosts } from './kit/postgres.ts'
import { ask, CONNECTIONS, type Make, makeAll, portOf, send, startServer, stop, type Usage } from './kit/processes.ts'
import { merchant, sale, status } from './kit/requests.ts'

/** V8 reaches the final code of a gateway after ten. */
const ROUNDS = size(12, 1)
const ORDERS = size(1_200, 150)
/** How many orders wait for their callbacks at most: a gateway puts off what it does not expect to send within seconds. */
const AT_ONCE = 150
const LOOKED_EVERY_MS = 5
/** For what a commit leaves to be done. */
const REST_MS = 500

const saleWithCallback: Make = (index, run) => sale(index, run, { serverCallbackUrl: 'https://shop.example.com/' })

const accepted = /"type": ?"async-response"/

/** What each request has used. */
type Cost = Readonly<Record<'cpu' | 'garbage' | 'serverCpu' | 'commits' | 'log', number>>

const LOADS = ['sale', 'callback', 'status'] as const
type Load = (typeof LOADS)[number]

interface Database {
  readonly read: () => Promise<ServerCost>
}

/** A gateway with a shop that acknowledges each callback. */
async function lifeOn(store: Partial<GatewaySetUp>, title: string, openDatabase?: () => Promise<Database>) {
  let heard = 0
  const shop = createServer((_, response) => {
    heard += 1
    response.end()
  })
  const receiver = `http://127.0.0.1:${await portOf(shop)}/callback`
  const node = await startServer('gateway-servers.ts', { ...merchant, kind: 'gateway', receiver, ...store })
  const database = await openDatabase?.()
  const read = async () => ({ ...(await ask<Usage>(node, 'usage')), server: await database?.read() })

  async function cost(load: Load, round: number): Promise<Cost> {
    const make = { sale, callback: saleWithCallback, status: (index: number) => status(`sale-${round}-${index}z`) }[
      load
    ]
    const requests = await makeAll(ORDERS, (index) => make(index, `${load}-${round}-`))
    const known = load === 'status' ? /"status": ?"approved"/ : accepted
    const before = await read()
    for (let at = 0; at < ORDERS; at += AT_ONCE) {
      const some = requests.slice(at, at + AT_ONCE)
      const expected = heard + (load === 'callback' ? some.length : 0)
      await send(node.port, some, (body) => assert.match(body, known))
      while (heard < expected) await pause(LOOKED_EVERY_MS)
    }
    await pause(REST_MS)
    const after = await read()
    const each = (used: (at: typeof after) => number | undefined) =>
      ((used(after) ?? Number.NaN) - (used(before) ?? Number.NaN)) / ORDERS
    return {
      cpu: each(({ cpu }) => cpu),
      garbage: each(({ allocated }) => allocated),
      serverCpu: each(({ server }) => server?.cpu),
      commits: each(({ server }) => server?.commits),
      log: each(({ server }) => server?.log),
    }
  }

  const costs = recordOf(LOADS, (): Cost[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const load of LOADS) {
      const of = await cost(load, round)
      // The first round only warms up.
      if (round > 0) costs[load].push(of)
    }
  }
  stop(node)
  shop.close()
  const least = (load: Load, key: keyof Cost) => Math.min(...costs[load].map((each) => each[key]))
  printTable(`An order's life ${title}, ${CONNECTIONS} connections`, rowsOf(least))
}

const NAMES = { sale: 'a sale', callback: 'a sale with its callback', status: 'a status' } as const
const LIFE = 'sale, callback, two statuses'

function rowsOf(least: (load: Load, key: keyof Cost) => number): readonly Row[] {
  const life = (key: keyof Cost) => least('callback', key) + 2 * least('status', key)
  const ofGateway = LOADS.map((load) => ({
    what: `${NAMES[load]}: CPU of the gateway`,
    figure: least(load, 'cpu'),
    unit: 'us',
  }))
  const garbage = { what: 'a sale: garbage', figure: least('sale', 'garbage') / 1000, unit: 'kB' }
  const beyond = {
    what: 'callback beyond its sale: CPU',
    figure: least('callback', 'cpu') / least('sale', 'cpu') - 1,
    unit: 'sales',
  }
  const rows = [...ofGateway, { what: `${LIFE}: CPU of the gateway`, figure: life('cpu'), unit: 'us' }, beyond, garbage]
  if (Number.isNaN(life('commits'))) return rows
  return [
    ...rows,
    ...LOADS.map((load) => ({
      what: `${NAMES[load]}: CPU of the server`,
      figure: least(load, 'serverCpu'),
      unit: 'us',
    })),
    { what: `${LIFE}: CPU of the server`, figure: life('serverCpu'), unit: 'us' },
    {
      what: 'callback beyond its sale: commits',
      figure: least('callback', 'commits') - least('sale', 'commits'),
      unit: '',
    },
    { what: `${LIFE}: log`, figure: life('log') / 1000, unit: 'kB' },
  ]
}

async function postgres(): Promise<void> {
  const server = await testServer({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } })
  const { url } = server
  const schema = 'life'
  let close = async () => {}
  try {
    await lifeOn({ database: { url, schema } }, 'on PostgreSQL', async () => {
      const costs = await serverCosts(url, schema)
      close = costs.close
      return costs
    })
  } finally {
    await close()
    await server.close()
  }
}

await measure({
  memory: () => lifeOn({}, 'in memory'),
  sqlite: () => lifeOn({ file: join(temporaryFolder(), 'life.db') }, 'on SQLite'),
  postgres,
})
