/**
 * Measures memory: the heap of a gateway over 300,000 sales on SQLite and of a client over 300,000 calls, which have to stay flat,
 * the replay guard with a million nonces: bytes and time for each, and the longest pause; and a recording of 100,000 sales.
 *
 *     node --conditions=@tallystick/source bench/memory.ts [gateway] [client] [nonces] [recording]
 */
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createGateway, createRecording, type Recording, simulator } from '@tallystick/gateway'
import { replayGuard } from '@tallystick/signing'
import { cpuClock, measure, printTable, size, temporaryFolder } from './kit/measure.ts'
import { ask, makeAll, type Server, send, startServer, stop } from './kit/processes.ts'
import { merchant, sale } from './kit/requests.ts'

const TOTAL = size(300_000, 6_000)
const STEPS = 6
const AT_ONCE = size(5_000, 1_000)

async function gateway(): Promise<void> {
  const file = join(temporaryFolder(), 'bench.db')
  const server = await startServer('gateway-servers.ts', { ...merchant, kind: 'gateway', file }, ['--expose-gc'])
  await printHeaps(server, 'sales', async (from, to) => {
    for (let sent = from; sent < to; sent += AT_ONCE) {
      const requests = await makeAll(AT_ONCE, (at) => sale(sent + at, 'memory-'))
      await send(server.port, requests, (body) => assert.ok(body.includes('async-response'), body))
    }
  })
  stop(server)
}

async function client(): Promise<void> {
  const server = await startServer('answering-server.ts', { delayMs: 0 })
  const ours = await startServer('clients.ts', { name: 'ours', port: server.port }, ['--expose-gc'])
  await printHeaps(ours, 'calls', (from, to) => ask(ours, { calls: to - from, inFlight: 128 }))
  stop(ours, server)
}

async function printHeaps(server: Server, what: string, work: (from: number, to: number) => Promise<unknown>) {
  const rows = []
  for (let done = 0; done < TOTAL; ) {
    const next = done + TOTAL / STEPS
    await work(done, next)
    done = next
    const { heap } = await ask(server, 'usage')
    rows.push({ what: `after ${done} ${what}`, figure: heap / 1e6, unit: 'MB' })
  }
  printTable('Heap in use after a collection', rows)
}

const COUNT = size(1_000_000, 50_000)
const START = 1_700_000_000
const WINDOW = 600
const NOW = START + WINDOW / 2
const RUNS = size(5, 2)

type Nonce = { readonly consumerKey: string; readonly nonce: string; readonly timestamp: number }

/** Over ten minutes, and all in one second. The clock stands still, so that none is forgotten. */
function nonces(): void {
  measureNonces('over ten minutes', WINDOW)
  measureNonces('in one second', 1)
}

function measureNonces(title: string, seconds: number): void {
  const nonces = Array.from({ length: COUNT }, (_, at) => ({
    consumerKey: 'merchantlogin',
    nonce: randomBytes(16).toString('hex'),
    timestamp: START + Math.floor((at * seconds) / COUNT),
  }))
  const bytes = memoryEach(nonces)
  const time = timeOf(nonces, () => consumeAll(nonces))
  const sha1 = timeOf(nonces, () => {
    for (const { nonce } of nonces) hash('sha1', nonce)
  })
  printTable(`Replay guard, ${COUNT} nonces ${title}`, [
    { what: 'memory', figure: bytes, unit: 'bytes', goal: 'at most 24' },
    { what: 'time', figure: time, unit: 'ns', goal: 'at most 300' },
    { what: 'time against a bare SHA-1 of the nonce', figure: time / sha1, unit: 'times' },
    { what: 'longest pause', figure: longestPause(nonces), unit: 'ms', goal: 'at most 2' },
    { what: 'alone: a bare SHA-1 of the nonce', figure: sha1, unit: 'ns' },
  ])
}

function consumeAll(nonces: readonly Nonce[]) {
  const guard = replayGuard({ secret: randomBytes(8), windowSeconds: WINDOW })
  for (const nonce of nonces) if (!guard.consume(nonce, NOW)) throw new Error('a fresh nonce was refused')
  return guard
}

function memoryEach(nonces: readonly Nonce[]): number {
  consumeAll(nonces)
  const before = memory()
  const guard = consumeAll(nonces)
  const bytes = memory() - before
  for (const nonce of nonces) assert.equal(guard.consume(nonce, NOW), false)
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
function timeOf(nonces: readonly Nonce[], work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = cpuClock()
    work()
    return cpuClock() - started
  })
  return (Math.min(...times) * 1e6) / nonces.length
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
      guard.consume(nonce, NOW)
      const time = performance.now()
      shortest[at] = Math.min(shortest[at] ?? 0, time - last)
      last = time
    }
  }
  return shortest.reduce((longest, time) => Math.max(longest, time), 0)
}

const RECORDED = size(100_000, 2_000)

/**
 * Of sales that differ in their ids, cards, amounts and controls, with all that follows from them. What is measured is a copy, which
 * nothing else of a gateway is beside.
 */
async function recording(): Promise<void> {
  const source = createRecording({ maxBytes: 1_000_000_000 })
  for (let sold = 0; sold < RECORDED; sold += AT_ONCE) await recordSales(source, sold)
  const copy = createRecording()
  const before = await settledMemory()
  for (const { version: _, id: __, ...event } of source.events()) copy.record(event)
  const bytes = (await settledMemory()) - before
  assert.equal(copy.lastId, source.lastId)
  printTable(`A recording of ${RECORDED} sales`, [
    { what: 'events of a sale', figure: copy.lastId / RECORDED, unit: '' },
    { what: 'events that were dropped', figure: copy.dropped, unit: '', goal: '0' },
    { what: 'memory', figure: bytes / 1e6, unit: 'MB', goal: 'at most 64' },
  ])
}

/** Without buffers that are freed only after a turn of the event loop. */
async function settledMemory(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    memory()
    await new Promise(setImmediate)
  }
  return memory()
}

/** By a gateway of their own, whose orders are gone afterwards. */
async function recordSales(recorder: Recording, first: number): Promise<void> {
  const { baseUrl, login, controlKey, publicKey, endpointId: id } = merchant
  const { handle, settled, close } = createGateway({
    publicUrl: baseUrl,
    merchants: [{ login, controlKey, publicKey, endpoints: [{ id, currencies: ['USD'] }] }],
    acquirer: simulator(),
    sendCallback: async () => ({ status: 200 }),
    recorder,
  })
  for (let at = first; at < first + AT_ONCE; at++) {
    const { method, path, headers, body } = parsed(
      await sale(at, 'memory-', {
        amount: (at / 100 + 1).toFixed(2),
        email: `customer-${hash('sha1', String(at)).slice(0, 12)}@example.com`,
        serverCallbackUrl: 'https://shop.example.com/callback',
      }),
    )
    const { status } = await handle({ method, url: path, headers, body, peer: '127.0.0.1' })
    assert.equal(status, 200)
  }
  await settled()
  await close()
}

/** A request as a server reads it. */
function parsed(bytes: Uint8Array) {
  const [head = '', body = ''] = Buffer.from(bytes).toString().split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method = '', path = ''] = line.split(' ')
  return { method, path, headers: Object.fromEntries(fields.map((field) => field.split(': '))), body }
}

await measure({ gateway, client, nonces, recording }, { nonces: ['--expose-gc'], recording: ['--expose-gc'] })
