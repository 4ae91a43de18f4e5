/**
 * Measures what one order costs on PostgreSQL, over HTTP: CPU of the gateway and of the server, commits, log, disk, with and
 * without a callback; and the rate of one node against a bare `pg` program that commits the same rows in the same batches.
 * `docs/scale.md` uses the figures.
 *
 *     node --conditions=@tallystick/source bench/gateway/scale.ts [orders]
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { testServer } from '@tallystick/test-postgres'
import { printTable, type Row } from '../signing/table.ts'
import { send } from './load.ts'
import { serverCosts } from './postgres-cost.ts'
import { merchant, publicKey, sale, status } from './requests.ts'

const CONNECTIONS = 64
const ORDERS = Number(process.argv[2] ?? 5_000)
const ROUNDS = 3
const QUIET_LOOK_MS = 250

const server = await testServer({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } })

async function node(schema: string, receiver?: string) {
  const { login, controlKey } = merchant
  const setUp = { database: server.url, schema, receiver, login, controlKey, publicKey }
  const child = fork(join(import.meta.dirname, 'postgres-node.ts'), [JSON.stringify(setUp)], {
    execArgv: [...process.execArgv, '--no-warnings'],
  })
  child.once('exit', (code) => {
    if (code !== null && code !== 0) throw new Error('a gateway of the benchmark failed')
  })
  return { child, port: (await told<{ port: number }>(child)).port }
}

async function asked<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  child.send(question)
  return await told(child)
}

async function told<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, 'message')) as [Answer]
  return answer
}

type Make = (index: number, run: string) => Uint8Array

/** Microseconds for each request, until the last one is answered. */
async function load(port: number, run: string, make: Make, expected: RegExp): Promise<number> {
  const requests = Array.from({ length: ORDERS }, (_, index) => make(index, run))
  const start = performance.now()
  await send({ port, connections: CONNECTIONS, requests, check: (body) => assert.match(body, expected) })
  return ((performance.now() - start) * 1000) / ORDERS
}

/** What each request of a load costs, including everything after its answer. */
async function costs(receiver: string, loads: Readonly<Record<string, readonly [make: Make, expected: RegExp]>>) {
  const schema = 'costs'
  const { child, port } = await node(schema, receiver)
  const database = await serverCosts(server.url, schema)
  const read = async () => ({ ...(await database.read()), gateway: (await asked<{ cpu: number }>(child, {})).cpu })
  const rows: Row[] = []
  for (const [name, [make, expected]] of Object.entries(loads)) {
    await load(port, `warm-${name}-`, make, expected)
    await quiet(database)
    const before = await read()
    await load(port, `${name}-`, make, expected)
    await quiet(database)
    const after = await read()
    const each = (key: keyof typeof after) => (after[key] - before[key]) / ORDERS
    rows.push(
      { what: `${name}: CPU of the gateway`, figure: each('gateway'), unit: 'us' },
      { what: `${name}: CPU of the server`, figure: each('cpu'), unit: 'us' },
      { what: `${name}: commits`, figure: each('commits'), unit: '' },
      { what: `${name}: log`, figure: each('log') / 1000, unit: 'kB' },
      { what: `${name}: tables and indexes`, figure: each('size') / 1000, unit: 'kB' },
    )
  }
  child.kill('SIGINT')
  await database.close()
  return rows
}

async function quiet({ isQuiet }: { readonly isQuiet: () => Promise<boolean> }): Promise<void> {
  while (!(await isQuiet())) await pause(QUIET_LOOK_MS)
}

/** Answers every callback with 200. */
async function receiver() {
  let heard = 0
  const listening = createServer((_, response) => {
    heard += 1
    response.end()
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/callback`, heard: () => heard, close: () => void listening.close() }
}

const accepted = /"type": ?"async-response"/

async function benchCosts(): Promise<void> {
  const shop = await receiver()
  const saleWithCallback: Make = (index, run) =>
    sale(index, run, [['server_callback_url', 'https://shop.example.com/']])
  const rows = await costs(shop.url, {
    'a sale': [sale, accepted],
    'a sale with its callback': [saleWithCallback, accepted],
    'a status': [(index) => status(`a sale-${index}z`), /"status": ?"approved"/],
  })
  assert.equal(shop.heard(), 2 * ORDERS)
  shop.close()
  printTable(`One order on PostgreSQL, ${CONNECTIONS} connections`, rows)
}

async function benchRate(): Promise<void> {
  const [noted, plain, copy] = [await node('recorded'), await node('plain'), await node('bare')]
  copy.child.kill('SIGINT')
  const database = await serverCosts(server.url, 'recorded')
  const least = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY }
  for (let round = 0; round <= ROUNDS; round++) {
    await load(noted.port, `noted${round}-`, sale, accepted)
    await quiet(database)
    const { took } = await asked<{ took: number }>(noted.child, { bareInto: 'bare' })
    const ours = await load(plain.port, `plain${round}-`, sale, accepted)
    // The first round only warms up.
    if (round === 0) continue
    least.ours = Math.min(least.ours, ours)
    least.bare = Math.min(least.bare, took / ORDERS)
  }
  for (const { child } of [noted, plain]) child.kill('SIGINT')
  await database.close()
  printTable(`Sales over HTTP on one node, ${CONNECTIONS} connections`, [
    { what: 'sales', figure: 1e6 / least.ours, unit: 'a second' },
    { what: 'bare pg, the same rows in the same batches', figure: 1e6 / least.bare, unit: 'a second' },
    { what: 'rate against the bare program', figure: least.bare / least.ours, unit: 'times', goal: 'at least 0.4' },
  ])
}

try {
  await benchCosts()
  await benchRate()
} finally {
  await server.close()
}
