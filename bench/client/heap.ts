/**
 * Measures whether the heap stays flat over 300,000 calls of our client, 128 in flight.
 *
 *     node --expose-gc --conditions=@tallystick/source bench/client/heap.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { printTable } from '../signing/table.ts'
import { ours } from './contestants.ts'

const CALLS = 300_000
const STEPS = 6
const IN_FLIGHT = 128

const { gc } = globalThis
if (gc === undefined) throw new Error('run it with --expose-gc')
const child = fork(join(import.meta.dirname, 'server.ts'))
const [{ port }] = (await once(child, 'message')) as [{ port: number }]
const { call, close } = ours(port, 'sale')
const heaps: number[] = []
let next = 0
for (let step = 1; step <= STEPS; step++) {
  const end = (CALLS / STEPS) * step
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (next < end) await call(next++)
    }),
  )
  gc()
  heaps.push(process.memoryUsage().heapUsed / 1e6)
}
await close()
child.disconnect()
printTable(
  'Heap in use after a collection',
  heaps.map((figure, step) => ({ what: `after ${((step + 1) * CALLS) / STEPS} calls`, figure, unit: 'MB' })),
)
