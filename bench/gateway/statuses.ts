/**
 * Measures whether a status request over HTTP costs more among many orders than among few: CPU time of two gateways on SQLite,
 * whose files have 1,000 and 300,000 orders (or the given number), called in turns.
 *
 *     node --conditions=@tallystick/source bench/gateway/statuses.ts [orders]
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../signing/table.ts'
import { leastTimes, type Server, startServer } from './cpu-time.ts'
import { fillFile } from './fill-file.ts'
import { merchant, publicKey, status } from './requests.ts'
import { orderIdOf } from './store-rows.ts'

const FEW = 1_000
const MANY = Number(process.argv[2] ?? 300_000)

/** Numbers of orders, spread over all of them and the same in every run. */
const numberOf = (index: number, orders: number) => (index * 7_919) % orders

const byBoth = (number: number) => status(`invoice-${number}`, orderIdOf(number))
const byOne = (number: number) => status(`invoice-${number}`)

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))

async function filledServer(orders: number): Promise<Server> {
  const store = join(folder, `${orders}.db`)
  await fillFile(store, orders)
  return await startServer('server.ts', ['gateway', JSON.stringify({ ...merchant, publicKey, store })])
}

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
for (const { child } of [few, many]) child.kill()
rmSync(folder, { recursive: true })
