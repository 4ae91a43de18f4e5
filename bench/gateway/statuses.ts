/**
 * Whether a status request over HTTP costs more among many orders than among few: CPU time of two gateways on SQLite, whose
 * files hold 1,000 and 300,000 orders (or the number that is given), asked in turns.
 *
 *     node --conditions=@tallystick/source bench/gateway/statuses.ts [orders]
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serializeForm } from '@tallystick/core'
import { signControl } from '@tallystick/signing'
import { printTable } from '../signing/table.ts'
import { leastTimes, type Server, startServer } from './cpu-time.ts'
import { fillFile } from './fill-file.ts'
import { merchant, post, publicKey } from './requests.ts'
import { orderIdOf } from './store-rows.ts'

const FEW = 1_000
const MANY = Number(process.argv[2] ?? 300_000)
const { login, controlKey: key } = merchant

/** Spread over all orders, the same in every run. */
const numberOf = (index: number, orders: number) => (index * 7_919) % orders

/** By both ids, or by the merchant's alone. */
function status(number: number, by: 'both ids' | 'client order id'): Uint8Array {
  const clientOrderId = `invoice-${number}`
  const orderId = by === 'both ids' ? orderIdOf(number) : ''
  const control = signControl({ terms: [login, clientOrderId, orderId], key })
  const named = orderId === '' ? [] : [['orderid', orderId] as const]
  const pairs = [['login', login], ['client_orderid', clientOrderId], ...named, ['control', control]] as const
  return post('/api/v2/status/253', serializeForm(pairs))
}

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))

async function filledServer(orders: number): Promise<Server> {
  const store = join(folder, `${orders}.db`)
  await fillFile(store, orders)
  return await startServer('server.ts', ['gateway', JSON.stringify({ ...merchant, publicKey, store })])
}

const [few, many] = [await filledServer(FEW), await filledServer(MANY)]
const times = await leastTimes((body) => assert.match(body, /"status": ?"approved"/), {
  fewByBoth: [few, (index) => status(numberOf(index, FEW), 'both ids')],
  manyByBoth: [many, (index) => status(numberOf(index, MANY), 'both ids')],
  fewByOne: [few, (index) => status(numberOf(index, FEW), 'client order id')],
  manyByOne: [many, (index) => status(numberOf(index, MANY), 'client order id')],
})
printTable('CPU time of the gateway for a status over HTTP, 64 connections', [
  { what: `by both ids, of ${FEW}`, figure: times.fewByBoth, unit: 'us' },
  { what: `of ${MANY}, against it`, figure: times.manyByBoth / times.fewByBoth, unit: 'times', goal: 'at most 1.2' },
  { what: `by client order id, of ${FEW}`, figure: times.fewByOne, unit: 'us' },
  { what: `of ${MANY}, against it`, figure: times.manyByOne / times.fewByOne, unit: 'times', goal: 'at most 1.2' },
])
for (const { child } of [few, many]) child.kill()
rmSync(folder, { recursive: true })
