import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { replayGuard } from '../../packages/signing/src/index.ts'
import { TextHash } from '../../packages/signing/src/replay/consumer-keys.ts'
import { printTable, type Row } from './table.ts'

/**
 * Measures the replay guard with a million nonces: bytes and time for each, the longest pause, and what the parts of the time
 * cost alone. Each case runs in a process of its own, which can trigger garbage collection.
 */

const COUNT = 1_000_000
const START = 1_700_000_000
const WINDOW = 600
const NOW = START + WINDOW / 2
const RUNS = 5

type Nonce = { readonly consumerKey: string; readonly nonce: string; readonly timestamp: number }

/** Over how many seconds the nonces are spread. The clock stands still, so that none is forgotten. */
const CASES: Readonly<Record<string, number>> = { 'over ten minutes': WINDOW, 'in one second': 1 }

const [name] = process.argv.slice(2)
if (name === undefined) for (const each of Object.keys(CASES)) measureAlone(each)
else measure(name, CASES[name] ?? 1)

function measureAlone(each: string): void {
  const { status } = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, each], { stdio: 'inherit' })
  process.exitCode ||= status ?? 1
}

function measure(title: string, seconds: number): void {
  const nonces = Array.from({ length: COUNT }, (_, at) => ({
    consumerKey: 'merchantlogin',
    nonce: randomBytes(16).toString('hex'),
    timestamp: START + Math.floor((at * seconds) / COUNT),
  }))
  const bytes = memoryEach(nonces)
  const time = timeEach(nonces, () => burnAll(nonces))
  const sha1 = timeEach(nonces, () => hashAll(nonces, (nonce) => hash('sha1', nonce)))
  printTable(`Replay guard, 1,000,000 nonces ${title}`, [
    { what: 'memory', figure: bytes, unit: 'bytes', goal: 'at most 24' },
    { what: 'time', figure: time, unit: 'ns', goal: 'at most 300' },
    { what: 'time against a bare SHA-1 of the nonce', figure: time / sha1, unit: 'times' },
    { what: 'longest pause', figure: longestPause(nonces), unit: 'ms', goal: 'at most 2' },
    { what: 'alone: a bare SHA-1 of the nonce', figure: sha1, unit: 'ns' },
    ...parts(nonces),
  ])
}

/** The parts of the work alone, below which the time cannot be. */
function parts(nonces: readonly Nonce[]): Row[] {
  const room = Buffer.alloc(64)
  const text = new TextHash()
  const places = Uint32Array.from(nonces, ({ nonce }) => Number.parseInt(nonce.slice(0, 5), 16) * 2)
  const table = new Float64Array(2 ** 21).fill(1)
  const write = (nonce: string) => room.write(nonce)
  const halfSip = (nonce: string) => text.of(nonce, [1, 2])
  const readAll = () => places.reduce((sum, at) => sum + (table[at] ?? 0), 0)
  assert.equal(readAll(), COUNT)
  return [
    {
      what: 'alone: the characters of the nonce, fetched',
      figure: timeEach(nonces, () => hashAll(nonces, write)),
      unit: 'ns',
    },
    { what: 'alone: fetched and hashed', figure: timeEach(nonces, () => hashAll(nonces, halfSip)), unit: 'ns' },
    { what: 'alone: one random read in a table of 16 MB', figure: timeEach(nonces, readAll), unit: 'ns' },
  ]
}

function hashAll(nonces: readonly Nonce[], hashOne: (nonce: string) => unknown): void {
  for (const { nonce } of nonces) hashOne(nonce)
}

function burnAll(nonces: readonly Nonce[]) {
  const guard = replayGuard({ secret: randomBytes(8), windowSeconds: WINDOW })
  for (const nonce of nonces) if (!guard.burn(nonce, NOW)) throw new Error('a fresh nonce was refused')
  return guard
}

function memoryEach(nonces: readonly Nonce[]): number {
  burnAll(nonces)
  const before = memory()
  const guard = burnAll(nonces)
  const bytes = memory() - before
  for (const nonce of nonces) assert.equal(guard.burn(nonce, NOW), false)
  return bytes / COUNT
}

function memory(): number {
  assert(globalThis.gc !== undefined)
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** CPU time for each nonce, in nanoseconds: the least of several runs, which other work has disturbed least. */
function timeEach(nonces: readonly Nonce[], work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = process.threadCpuUsage().user
    work()
    return process.threadCpuUsage().user - started
  })
  return (Math.min(...times) * 1000) / nonces.length
}

/**
 * The longest single call. Every run makes the same calls with the same secret, and the shortest time of each call counts: the
 * guard grows at the same call in every run, but another process interrupts a given call only once.
 */
function longestPause(nonces: readonly Nonce[]): number {
  const shortest = new Float64Array(COUNT).fill(Number.POSITIVE_INFINITY)
  for (let run = 0; run < RUNS; run++) {
    const guard = replayGuard({ secret: new Uint8Array(8), windowSeconds: WINDOW })
    let last = performance.now()
    for (const [at, nonce] of nonces.entries()) {
      guard.burn(nonce, NOW)
      const time = performance.now()
      shortest[at] = Math.min(shortest[at] ?? 0, time - last)
      last = time
    }
  }
  return shortest.reduce((longest, time) => Math.max(longest, time), 0)
}
