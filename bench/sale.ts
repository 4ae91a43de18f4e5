/**
 * Measures what a request costs the gateway over HTTP, against bare servers that do the network part and the cryptography that no
 * gateway can do without: CPU time of the server's process in each.
 *
 *     node --conditions=@tallystick/source bench/sale.ts [http] [recording]
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { GatewaySetUp } from './kit/gateway-servers.ts'
import { measure, printTable, recordOf, size, temporaryFolder } from './kit/measure.ts'
import { ask, leastTimes, makeAll, type Server, send, startEach, startServer, stop } from './kit/processes.ts'
import { merchant, payout, sale } from './kit/requests.ts'

const KINDS = ['bare', 'bareHmac', 'bareRsa', 'bareSeal', 'memory', 'sqlite'] as const

const acknowledges = (body: string, index: number, run: string) =>
  assert.ok(body.includes(`"${run}${index}z"`) && body.includes('async-response'), body)

async function overHttp(): Promise<void> {
  const servers = await startEach(KINDS, (name) => {
    const kind = name === 'memory' || name === 'sqlite' ? 'gateway' : name
    const file = name === 'sqlite' ? { file: join(temporaryFolder(), 'bench.db') } : {}
    return startServer('gateway-servers.ts', { ...merchant, kind, ...file } satisfies GatewaySetUp)
  })
  const sales = (server: Server) => [server, sale] as const
  const payouts = (server: Server, method: 'HMAC-SHA1' | 'RSA-SHA256') =>
    [server, (index: number, run: string) => payout(index, run, method)] as const
  const { cpu } = await leastTimes(acknowledges, {
    bare: sales(servers.bare),
    bareHmac: payouts(servers.bareHmac, 'HMAC-SHA1'),
    bareRsa: payouts(servers.bareRsa, 'RSA-SHA256'),
    bareSeal: sales(servers.bareSeal),
    saleInMemory: sales(servers.memory),
    saleDurable: sales(servers.sqlite),
    hmacInMemory: payouts(servers.memory, 'HMAC-SHA1'),
    rsaInMemory: payouts(servers.memory, 'RSA-SHA256'),
  })
  const rate = (what: string, theirs: keyof typeof cpu, ours: keyof typeof cpu, goal: string) => ({
    what,
    figure: cpu[theirs] / cpu[ours],
    unit: 'times',
    goal,
  })
  printTable('CPU time of the server for a request over HTTP, 64 connections', [
    { what: 'bare node:http, form parsed, JSON answered', figure: cpu.bare, unit: 'us' },
    rate('sale in memory: rate against it with the card sealed', 'bareSeal', 'saleInMemory', 'at least 0.45'),
    rate('sale on SQLite: rate against memory', 'saleInMemory', 'saleDurable', 'at least 0.6'),
    rate('payout in memory: rate against bare with its HMAC', 'bareHmac', 'hmacInMemory', 'at least 0.4'),
    rate('payout-check in memory: rate against bare with its RSA', 'bareRsa', 'rsaInMemory', 'at least 0.5'),
  ])
  stop(...Object.values(servers))
}

const ROUNDS = size(150, 4)
const SALES = size(256, 64)

/**
 * The same gateway with and without a recording of all that it sees and does. The difference is smaller than what one long round differs
 * from the next on a busy machine, so there are many short ones, of which the second half counts, and a second gateway that records
 * nothing, which shows the error.
 */
async function recording(): Promise<void> {
  const names = ['off', 'offAgain', 'on'] as const
  const setUp = { ...merchant, kind: 'gateway' } as const
  const servers = await startEach(names, (name) =>
    startServer('gateway-servers.ts', { ...setUp, isRecording: name === 'on' } satisfies GatewaySetUp),
  )
  const times = recordOf(names, (): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    const run = `${round}-`
    const made = await makeAll(SALES, (index) => sale(index, run))
    // In turns, so that none always follows the same other.
    for (const at of names.keys()) {
      const name = names[(at + round) % names.length] as (typeof names)[number]
      const before = await ask(servers[name], 'usage')
      await send(servers[name].port, made, (body, index) => acknowledges(body, index, run))
      times[name].push(((await ask(servers[name], 'usage')).cpu - before.cpu) / SALES)
    }
  }
  const quantile = (name: (typeof names)[number], part: number) => {
    const sorted = times[name].slice(ROUNDS / 2).sort((one, other) => one - other)
    return sorted[Math.floor(sorted.length * part)] as number
  }
  const rows = [0.1, 0.25, 0.5].flatMap((part) => [
    { what: `not recorded, quantile ${part}`, figure: quantile('off', part), unit: 'us' },
    { what: 'another that is not', figure: quantile('offAgain', part) / quantile('off', part), unit: 'times' },
    { what: 'recorded', figure: quantile('on', part) / quantile('off', part), unit: 'times', goal: 'at most 1.05' },
  ])
  printTable('CPU time of the gateway for a sale in memory over HTTP, 64 connections', rows)
  stop(...Object.values(servers))
}

await measure({ http: overHttp, recording })
