import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../gateway/cpu-time.ts'
import { send } from '../gateway/load.ts'
import { callbackQuery, ORDERS } from './query.ts'
const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
const controlKey = randomUUID()
const kinds = (process.argv[2] ?? 'journal').split(',')
const prof = process.argv[3] === 'prof'
const servers = []
for (const kind of kinds) servers.push([kind, await startServer('../callbacks/server.ts', [kind, JSON.stringify({ controlKey, folder })], prof ? ['--cpu-prof', `--cpu-prof-dir=/tmp/cbprof-${kind}`, '--cpu-prof-interval=200'] : [])] as const)
const cpuOf = async (child: any) => { child.send('cpu'); const [{ cpu }] = await once(child, 'message') as any; return cpu }
for (let round = 0; round < 12; round++) {
  const out = []
  for (const [kind, s] of servers) {
    const run = `${kind}${round}-`
    const made = Array.from({ length: ORDERS }, (_, i) => Buffer.from(`GET /callback?${callbackQuery(run, i, controlKey)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`))
    const before = await cpuOf(s.child)
    await send({ port: s.port, connections: 64, requests: made, check: (b: string) => assert.equal(b, 'OK') })
    out.push(`${kind} ${(((await cpuOf(s.child)) - before) / ORDERS).toFixed(1)}`)
  }
  console.log(out.join('  '))
}
for (const [, s] of servers) s.child.kill('SIGINT')
setTimeout(() => rmSync(folder, { recursive: true }), 500)
