/**
 * Measures what a hosted page costs the gateway over HTTP, against a bare server that sends the same bytes: requests per second,
 * and CPU time of the server's process, all in one run, with the client in a process of its own.
 *
 *     node --conditions=@tallystick/source bench/gateway/pages.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../signing/table.ts'
import { leastTimes, type Server, startServer } from './cpu-time.ts'
import { send } from './load.ts'
import { merchant, publicKey, saleForm } from './requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
const gateway = await startServer('server.ts', ['gateway', JSON.stringify({ ...merchant, publicKey })])
const addresses = await openForms(100)
const file = join(folder, 'page.json')
const page = await savePage(addresses[0] ?? '')
const bare = await startServer('same-bytes-server.ts', [file])

const isPage = (body: string) =>
  assert.ok(body.includes('name="credit_card_number"') && Math.abs(body.length - page.length) < 100, body.slice(0, 200))
const get =
  ({ port }: Server) =>
  (index: number) =>
    Buffer.from(
      `GET ${addresses[index % addresses.length]} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept-language: de\r\n\r\n`,
    )

// Many requests, because V8 optimizes most of the code of a page only after some thousand.
const { cpu, wall } = await leastTimes(isPage, { bare: [bare, get(bare)], gateway: [gateway, get(gateway)] }, 8000)
printTable(`A hosted form of ${page.length} bytes over HTTP, 64 connections`, [
  { what: 'bare node:http with the same bytes', figure: 1e6 / wall.bare, unit: 'a second' },
  { what: 'the gateway', figure: 1e6 / wall.gateway, unit: 'a second' },
  { what: 'the gateway: rate against bare', figure: wall.bare / wall.gateway, unit: 'times', goal: 'at least 0.5' },
  { what: 'bare: CPU time of the server', figure: cpu.bare, unit: 'us' },
  { what: 'the gateway: CPU time of the server', figure: cpu.gateway, unit: 'us' },
  { what: 'the gateway: rate by CPU time', figure: cpu.bare / cpu.gateway, unit: 'times', goal: 'at least 0.5' },
])
for (const { child } of [gateway, bare]) child.kill()
rmSync(folder, { recursive: true })

/** Opens orders that wait for their customers, and gives the paths of their forms. */
async function openForms(count: number): Promise<readonly string[]> {
  const paths: string[] = []
  await send({
    port: gateway.port,
    connections: 8,
    requests: Array.from({ length: count }, (_, index) => saleForm(index, 'form-')),
    check: (body) => void paths.push(new URL(JSON.parse(body)['redirect-url']).pathname),
  })
  return paths
}

/** Saves the page as the gateway sends it, for the bare server. */
async function savePage(path: string): Promise<{ readonly length: number }> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { 'accept-language': 'de' } })
  const body = await response.text()
  writeFileSync(file, JSON.stringify({ headers: Object.fromEntries(response.headers), body }))
  return { length: Buffer.byteLength(body) }
}
