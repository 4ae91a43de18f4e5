import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { signers } from './peer-signers.ts'
import { printTable } from './table.ts'

/**
 * Measures what a signature leaves for the garbage collector. The young generation is so large that nothing is collected during a
 * count. So everything that is allocated, on the heap or as the bytes of buffers, stays in the figures of `process.memoryUsage`.
 */

const FLAGS = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512']
const WARM_CALLS = 20_000
const CALLS = 500
const ROUNDS = 21

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function bytesOf(work: () => unknown, calls: number): number {
  globalThis.gc?.()
  const before = used()
  for (let call = 0; call < calls; call++) work()
  return used() - before
}

/**
 * Bytes of a call: the difference between twice as many calls and the calls. What the measurement itself allocates is in both.
 * What the compiler allocates is in some of the differences, so the median of many is taken.
 */
function garbageOf(work: () => unknown): number {
  for (let call = 0; call < WARM_CALLS; call++) work()
  const differences = Array.from({ length: ROUNDS }, () => bytesOf(work, 2 * CALLS) - bytesOf(work, CALLS))
  const sorted = differences.map((bytes) => bytes / CALLS).sort((a, b) => a - b)
  const middle = sorted[(ROUNDS - 1) / 2] ?? Number.NaN
  const alike = sorted.filter((bytes) => Math.abs(bytes - middle) < 0.05 * middle)
  assert.ok(alike.length > ROUNDS / 2, 'something was collected during the count')
  return middle
}

function measure(): void {
  const ours = garbageOf(signers.ours)
  const peers = Object.entries(signers).filter(([name]) => name !== 'ours')
  const rows = peers.map(([name, sign]) => ({ what: name, figure: garbageOf(sign), unit: 'bytes' }))
  printTable('OAuth HMAC-SHA1, 25 fields, garbage of a signature', [
    { what: 'signOAuth', figure: ours, unit: 'bytes' },
    ...rows,
    {
      what: 'the least of theirs against ours',
      figure: Math.min(...rows.map(({ figure }) => figure)) / ours,
      unit: 'times',
    },
  ])
}

if (globalThis.gc === undefined) {
  execFileSync(process.execPath, [...FLAGS, fileURLToPath(import.meta.url)], { stdio: 'inherit' })
} else measure()
