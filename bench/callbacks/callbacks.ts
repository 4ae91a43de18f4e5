/**
 * Measures what a callback costs up to its 200, stored durably on SQLite: requests per second, and CPU time of the server's
 * process, all in one run. Another process plays the gateway. Reads the built packages, so build first.
 *
 *     node bench/callbacks/callbacks.ts
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leastTimes, type Server, startServer } from '../gateway/cpu-time.ts'
import { printTable, type Row } from '../signing/table.ts'
import { callbackQuery, ORDERS } from './query.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
const controlKey = randomUUID()
const start = (kind: string) => startServer('../callbacks/server.ts', [kind, JSON.stringify({ controlKey, folder })])
const servers = {
  bare: await start('bare'),
  journal: await start('journal'),
  emptyExpress: await start('emptyExpress'),
  ourExpress: await start('ourExpress'),
  emptyNest: await start('emptyNest'),
  ourNest: await start('ourNest'),
}
const callback = (index: number, run: string) =>
  Buffer.from(`GET /callback?${callbackQuery(run, index, controlKey)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
const contest = (server: Server) => [server, callback] as const

const { cpu, wall } = await leastTimes(
  (body) => assert.equal(body, 'OK'),
  {
    bare: contest(servers.bare),
    journal: contest(servers.journal),
    emptyExpress: contest(servers.emptyExpress),
    ourExpress: contest(servers.ourExpress),
    emptyNest: contest(servers.emptyNest),
    ourNest: contest(servers.ourNest),
  },
  ORDERS,
)
const compared = (times: typeof cpu, rate: string): readonly Row[] => [
  { what: 'bare node:http, query parsed, one row committed', figure: times.bare, unit: 'us' },
  { what: `journal: ${rate}`, figure: times.bare / times.journal, unit: 'times', goal: 'at least 0.5' },
  { what: 'empty Express handler that stores the same rows', figure: times.emptyExpress, unit: 'us' },
  {
    what: `express-adapter: ${rate}`,
    figure: times.emptyExpress / times.ourExpress,
    unit: 'times',
    goal: 'at least 0.85',
  },
  { what: 'empty Nest handler that stores the same rows', figure: times.emptyNest, unit: 'us' },
  { what: `nest-module: ${rate}`, figure: times.emptyNest / times.ourNest, unit: 'times', goal: 'at least 0.85' },
]
printTable('A callback over HTTP, stored on SQLite, 64 connections: time', compared(wall, 'requests per second'))
printTable('The same: CPU time of the server', compared(cpu, 'callbacks for the same CPU time'))
for (const { child } of Object.values(servers)) child.kill()
rmSync(folder, { recursive: true })
