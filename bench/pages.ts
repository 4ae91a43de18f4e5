/**
 * Measures what a hosted page costs the gateway over HTTP, against a bare server that sends the same bytes: requests per second,
 * and CPU time of the server's process.
 *
 *     node --conditions=@tallystick/source bench/pages.ts
 */
import assert from 'node:assert/strict'
import type { GatewaySetUp } from './kit/gateway-servers.ts'
import { measure, printTable, size } from './kit/measure.ts'
import { leastTimes, makeAll, type Server, send, startServer, stop } from './kit/processes.ts'
import { merchant, saleForm } from './kit/requests.ts'

const start = (setUp: Partial<GatewaySetUp>) => startServer('gateway-servers.ts', { ...merchant, ...setUp })

async function page(): Promise<void> {
  const gateway = await start({ kind: 'gateway' })
  const addresses = await openForms(gateway, 100)
  const page = await readPage(gateway, addresses[0] ?? '')
  const bare = await start({ kind: 'sameBytes', page })
  const length = Buffer.byteLength(page.body)

  const isPage = (body: string) =>
    assert.ok(body.includes('name="credit_card_number"') && Math.abs(body.length - length) < 100, body.slice(0, 200))
  const get =
    ({ port }: Server) =>
    async (index: number) =>
      Buffer.from(
        `GET ${addresses[index % addresses.length]} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept-language: de\r\n\r\n`,
      )

  // Many requests, because V8 optimizes most of the code of a page only after some thousand.
  const { cpu, wall } = await leastTimes(
    isPage,
    { bare: [bare, get(bare)], gateway: [gateway, get(gateway)] },
    size(8000, 400),
  )
  printTable(`A hosted form of ${length} bytes over HTTP, 64 connections`, [
    { what: 'bare node:http with the same bytes', figure: 1e6 / wall.bare, unit: 'a second' },
    { what: 'the gateway', figure: 1e6 / wall.gateway, unit: 'a second' },
    { what: 'the gateway: rate against bare', figure: wall.bare / wall.gateway, unit: 'times', goal: 'at least 0.5' },
    { what: 'bare: CPU time of the server', figure: cpu.bare, unit: 'us' },
    { what: 'the gateway: CPU time of the server', figure: cpu.gateway, unit: 'us' },
    { what: 'the gateway: rate by CPU time', figure: cpu.bare / cpu.gateway, unit: 'times', goal: 'at least 0.5' },
  ])
  stop(gateway, bare)
}

/** Opens orders that wait for their customers, and gives the paths of their forms. */
async function openForms({ port }: Server, count: number): Promise<readonly string[]> {
  const paths: string[] = []
  const requests = await makeAll(count, (index) => saleForm(index, 'form-'))
  await send(port, requests, (body) => void paths.push(new URL(JSON.parse(body)['redirect-url']).pathname), 8)
  return paths
}

/** The page as the gateway sends it, for the bare server. */
async function readPage({ port }: Server, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-language': 'de' } })
  return { headers: Object.fromEntries(response.headers), body: await response.text() }
}

await measure({ page })
