/**
 * What a callback costs up to its 200, kept durably on SQLite: CPU time of the server's process for each, all in one run,
 * with the gateway's part played by a process of its own. Then, once for each, callbacks a second by wall time, in which the
 * sender takes its part of the cores. It reads the built packages: build first.
 *
 *     node bench/callbacks/callbacks.ts
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leastTimes, type Server, startServer } from '../gateway/cpu-time.ts'
import { send } from '../gateway/load.ts'
import { printTable, type Row } from '../signing/table.ts'
import { callbackQuery, ORDERS, ROUNDS_OF_ORDERS } from './query.ts'

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

const times = await leastTimes(
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
printTable('CPU time of the server for a callback over HTTP, kept on SQLite, 64 connections', [
  { what: 'bare node:http, query parsed, one row committed', figure: times.bare, unit: 'us' },
  {
    what: 'journal: callbacks for the same CPU time',
    figure: times.bare / times.journal,
    unit: 'times',
    goal: 'at least 0.5',
  },
  { what: 'empty Express handler that keeps the same rows', figure: times.emptyExpress, unit: 'us' },
  {
    what: 'express-adapter: callbacks for the same CPU time',
    figure: times.emptyExpress / times.ourExpress,
    unit: 'times',
    goal: 'at least 0.85',
  },
  { what: 'empty Nest handler that keeps the same rows', figure: times.emptyNest, unit: 'us' },
  {
    what: 'nest-module: callbacks for the same CPU time',
    figure: times.emptyNest / times.ourNest,
    unit: 'times',
    goal: 'at least 0.85',
  },
])
const rows: Row[] = []
for (const [what, { port }] of Object.entries(servers)) {
  // Orders that no round above has told of.
  const requests = Array.from({ length: ORDERS }, (_, index) => callback(index, `${what}${ROUNDS_OF_ORDERS - 1}-`))
  const began = performance.now()
  await send({ port, connections: 64, requests, check: (body) => assert.equal(body, 'OK') })
  rows.push({ what, figure: ORDERS / ((performance.now() - began) / 1000), unit: 'a second' })
}
printTable('The same by wall time, with the sender on the same machine, one round', rows)
for (const { child } of Object.values(servers)) child.kill()
rmSync(folder, { recursive: true })
