/**
 * Measures what a request costs the gateway over HTTP, against bare servers that only do the network part: CPU time of the
 * server's process in each, all in one run, with the client in a process of its own.
 *
 *     node --conditions=@tallystick/source bench/gateway/sale.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../signing/table.ts'
import { leastTimes, type Server, startServer } from './cpu-time.ts'
import { merchant, payout, publicKey, sale } from './requests.ts'

const start = (kind: string, store?: string) =>
  startServer('server.ts', [kind, JSON.stringify({ ...merchant, publicKey, store })])

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
const servers = {
  bare: await start('bare'),
  bareHmac: await start('bare-hmac'),
  bareRsa: await start('bare-rsa'),
  bareSeal: await start('bare-seal'),
  express: await start('express'),
  memory: await start('gateway'),
  sqlite: await start('gateway', join(folder, 'bench.db')),
}
const origin = (server: Server) => `http://127.0.0.1:${server.port}`

const acknowledges = (body: string, index: number, run: string) =>
  assert.ok(body.includes(`"${run}${index}z"`) && body.includes('async-response'), body)

const { cpu: times } = await leastTimes(acknowledges, {
  bare: [servers.bare, (index, run) => sale(index, run)],
  bareHmac: [servers.bareHmac, (index, run) => payout(index, run, 'HMAC-SHA1', origin(servers.bareHmac))],
  bareRsa: [servers.bareRsa, (index, run) => payout(index, run, 'RSA-SHA256', origin(servers.bareRsa))],
  bareSeal: [servers.bareSeal, (index, run) => sale(index, run)],
  express: [servers.express, (index, run) => sale(index, run)],
  saleInMemory: [servers.memory, (index, run) => sale(index, run)],
  saleDurable: [servers.sqlite, (index, run) => sale(index, run)],
  hmacInMemory: [servers.memory, (index, run) => payout(index, run, 'HMAC-SHA1', origin(servers.memory))],
  rsaInMemory: [servers.memory, (index, run) => payout(index, run, 'RSA-SHA256', origin(servers.memory))],
  hmacDurable: [servers.sqlite, (index, run) => payout(index, run, 'HMAC-SHA1', origin(servers.sqlite))],
  rsaDurable: [servers.sqlite, (index, run) => payout(index, run, 'RSA-SHA256', origin(servers.sqlite))],
})
printTable('CPU time of the server for a request over HTTP, 64 connections', [
  { what: 'bare node:http, form parsed, JSON answered', figure: times.bare, unit: 'us' },
  {
    what: 'sale in memory: rate against it',
    figure: times.bare / times.saleInMemory,
    unit: 'times',
    goal: 'at least 0.6',
  },
  {
    what: 'sale on SQLite: rate against memory',
    figure: times.saleInMemory / times.saleDurable,
    unit: 'times',
    goal: 'at least 0.6',
  },
  { what: 'payout by HMAC in memory: rate against bare', figure: times.bare / times.hmacInMemory, unit: 'times' },
  {
    what: 'payout-check by RSA in memory: rate against bare with crypto.verify',
    figure: times.bareRsa / times.rsaInMemory,
    unit: 'times',
    goal: 'at least 0.7',
  },
  {
    what: 'payout by HMAC on SQLite: rate against an empty Express handler',
    figure: times.express / times.hmacDurable,
    unit: 'times',
    goal: 'at least 1.5',
  },
  {
    what: 'payout-check by RSA on SQLite: rate against it',
    figure: times.express / times.rsaDurable,
    unit: 'times',
    goal: 'at least 0.9',
  },
])
printTable('The most that a gateway could reach: bare node:http with nothing but the cryptography that it must do', [
  { what: 'sale: sealing the card', figure: times.bare / times.bareSeal, unit: 'times', goal: 'at least 0.6' },
  {
    what: 'payout: HMAC-SHA1 of the body, against Express',
    figure: times.express / times.bareHmac,
    unit: 'times',
    goal: 'at least 1.5',
  },
  {
    what: 'payout-check: RSA-SHA256 of the body, against Express',
    figure: times.express / times.bareRsa,
    unit: 'times',
    goal: 'at least 0.9',
  },
])
for (const { child } of Object.values(servers)) child.kill()
rmSync(folder, { recursive: true })
