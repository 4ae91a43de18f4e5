/**
 * Measures whether the gateway's heap stays flat over 300,000 sales on SQLite, over HTTP. Collects garbage before each reading.
 *
 *     node --conditions=@tallystick/source bench/gateway/memory.ts [sales]
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../signing/table.ts'
import { startServer } from './cpu-time.ts'
import { send } from './load.ts'
import { merchant, publicKey, sale } from './requests.ts'

const SALES = Number(process.argv[2] ?? 300_000)
const STEPS = 6
const AT_ONCE = 5_000

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
const setUp = JSON.stringify({ ...merchant, publicKey, store: join(folder, 'bench.db') })
const { child, port } = await startServer('server.ts', ['gateway', setUp], ['--expose-gc'])
const heaps: number[] = []
for (let sent = 0; sent < SALES; sent += AT_ONCE) {
  const requests = Array.from({ length: AT_ONCE }, (_, at) => sale(sent + at, 'memory-'))
  const check = (body: string) => assert.ok(body.includes('async-response'), body)
  await send({ port, connections: 64, requests, check })
  if ((sent + AT_ONCE) % (SALES / STEPS) === 0) heaps.push(await heapOf())
}
printTable(
  'Heap of the gateway after a collection',
  heaps.map((figure, step) => ({ what: `after ${((step + 1) * SALES) / STEPS} sales`, figure, unit: 'MB' })),
)
child.kill()
rmSync(folder, { recursive: true })

async function heapOf(): Promise<number> {
  child.send('heap')
  const [{ heap }] = (await once(child, 'message')) as [{ heap: number }]
  return heap / 1e6
}
