/**
 * Measures what a request costs the gateway over HTTP, against bare servers that only do the network part, and what those take
 * with nothing but the cryptography that a gateway cannot do without: CPU time of the server's process in each.
 *
 *     node --conditions=@tallystick/source bench/sale.ts
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { GatewaySetUp } from './kit/gateway-servers.ts'
import { measure, printTable, temporaryFolder } from './kit/measure.ts'
import { leastTimes, type Server, startEach, startServer, stop } from './kit/processes.ts'
import { merchant, payout, sale } from './kit/requests.ts'

const KINDS = ['bare', 'bareHmac', 'bareRsa', 'bareSeal', 'express', 'memory', 'sqlite'] as const

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
    express: sales(servers.express),
    saleInMemory: sales(servers.memory),
    saleDurable: sales(servers.sqlite),
    hmacInMemory: payouts(servers.memory, 'HMAC-SHA1'),
    rsaInMemory: payouts(servers.memory, 'RSA-SHA256'),
    hmacDurable: payouts(servers.sqlite, 'HMAC-SHA1'),
    rsaDurable: payouts(servers.sqlite, 'RSA-SHA256'),
  })
  const rate = (what: string, theirs: keyof typeof cpu, ours: keyof typeof cpu, goal?: string) => ({
    what,
    figure: cpu[theirs] / cpu[ours],
    unit: 'times',
    ...(goal === undefined ? {} : { goal }),
  })
  printTable('CPU time of the server for a request over HTTP, 64 connections', [
    { what: 'bare node:http, form parsed, JSON answered', figure: cpu.bare, unit: 'us' },
    rate('sale in memory: rate against it', 'bare', 'saleInMemory', 'at least 0.6'),
    rate('sale on SQLite: rate against memory', 'saleInMemory', 'saleDurable', 'at least 0.6'),
    rate('payout by HMAC in memory: rate against bare', 'bare', 'hmacInMemory'),
    rate(
      'payout-check by RSA in memory: rate against bare with crypto.verify',
      'bareRsa',
      'rsaInMemory',
      'at least 0.7',
    ),
    rate('payout by HMAC on SQLite: rate against an empty Express handler', 'express', 'hmacDurable', 'at least 1.5'),
    rate('payout-check by RSA on SQLite: rate against it', 'express', 'rsaDurable', 'at least 0.9'),
  ])
  printTable('The most that a gateway could reach: bare node:http with nothing but the cryptography that it must do', [
    rate('sale: sealing the card', 'bare', 'bareSeal', 'at least 0.6'),
    rate('payout: HMAC-SHA1 of the body, against Express', 'express', 'bareHmac', 'at least 1.5'),
    rate('payout-check: RSA-SHA256 of the body, against Express', 'express', 'bareRsa', 'at least 0.9'),
  ])
  stop(...Object.values(servers))
}

await measure({ http: overHttp })
