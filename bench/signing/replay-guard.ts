import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { replayGuard } from '../../packages/signing/src/index.ts'
import { printTable } from './table.ts'

/** The replay guard at a million nonces: bytes and time for each, and the longest pause. Run with --expose-gc. */

const COUNT = 1_000_000
const START = 1_700_000_000
const SECONDS = 600

const nonces = Array.from({ length: COUNT }, (_, at) => ({
  consumerKey: 'merchantlogin',
  nonce: randomBytes(16).toString('hex'),
  timestamp: START + Math.floor((at * SECONDS) / COUNT),
}))
const inOneSecond = nonces.map((nonce) => ({ ...nonce, timestamp: START }))

function memory(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Burns all of them, the clock in the middle of the window, so that none is forgotten. */
function measure(name: string, burnt: typeof nonces) {
  const guard = replayGuard({ secret: randomBytes(8), windowSeconds: SECONDS })
  const now = START + SECONDS / 2
  for (const nonce of burnt.slice(0, 1000)) assert.equal(guard.burn(nonce, now), true)
  const before = memory()
  const started = process.threadCpuUsage().user
  for (let at = 1000; at < COUNT; at++) if (!guard.burn(burnt[at] as (typeof nonces)[0], now)) throw new Error('lost')
  const nanoseconds = ((process.threadCpuUsage().user - started) * 1000) / (COUNT - 1000)
  const bytes = (memory() - before) / (COUNT - 1000)
  for (const nonce of burnt) assert.equal(guard.burn(nonce, now), false)
  return [
    { what: `${name}: memory`, figure: bytes, unit: 'bytes', goal: 'at most 24' },
    { what: `${name}: time`, figure: nanoseconds, unit: 'ns', goal: 'at most 300' },
    { what: `${name}: time against a bare SHA-1 of the nonce`, figure: nanoseconds / bareHash(), unit: 'times' },
    { what: `${name}: longest pause`, figure: longestPause(burnt), unit: 'ms', goal: 'at most 2' },
  ]
}

/** What the machine takes for something known, in nanoseconds, as busy as it is just now. */
function bareHash(): number {
  const started = process.threadCpuUsage().user
  for (const { nonce } of nonces.slice(0, 200_000)) hash('sha1', nonce)
  return (process.threadCpuUsage().user - started) / 200
}

/**
 * The longest single call. Every run makes the same calls under the same secret, and the shortest time of each call
 * counts: what grows grows in every run, and what another process interrupts it interrupts once.
 */
function longestPause(burnt: typeof nonces): number {
  const shortest = new Float64Array(COUNT).fill(Number.POSITIVE_INFINITY)
  for (let run = 0; run < 5; run++) {
    const guard = replayGuard({ secret: new Uint8Array(8), windowSeconds: SECONDS })
    let last = performance.now()
    for (const [at, nonce] of burnt.entries()) {
      guard.burn(nonce, START + SECONDS / 2)
      const time = performance.now()
      shortest[at] = Math.min(shortest[at] ?? 0, time - last)
      last = time
    }
  }
  return shortest.reduce((longest, time) => Math.max(longest, time), 0)
}

printTable('Replay guard, 1,000,000 nonces', [
  ...measure('over ten minutes', nonces),
  ...measure('in one second', inOneSecond),
])
