/** One server of the benchmark, in a process of its own. It reports its port, and on request what it has used. */
import { randomFillSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, listen, memoryStore, newVaultKeys, readVaultKeys, simulator } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import express from 'express'
import { sealCard, verifyHmac, verifyRsa, type Work } from './least-work.ts'

const [kind = 'bare', setUp = '{}'] = process.argv.slice(2)
const { login, controlKey, publicKey, store } = JSON.parse(setUp) as {
  readonly login: string
  readonly controlKey: string
  readonly publicKey: string
  readonly store?: string
}

/** Parses the form, does the given work, and answers the same JSON: the least that any service of this kind does. */
async function bare(work?: Work): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1')
      const fields = new URLSearchParams(body)
      work?.(body, fields)
      const reply = JSON.stringify(acknowledgement(fields.get('client_orderid')))
      response.writeHead(200, {
        'content-type': 'application/vnd.pay+json',
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(reply),
      })
      response.end(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** What a merchant's developer would consider the least that a framework costs: an empty handler behind its form parser. */
async function emptyExpress(): Promise<number> {
  const app = express()
  app.use(express.urlencoded({ extended: false }))
  app.post('/{*path}', (request, response) => {
    response.json(acknowledgement(request.body.client_orderid))
  })
  return await new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function acknowledgement(clientOrderId: string | null) {
  return {
    type: 'async-response',
    'serial-number': '00000000-0000-4000-8000-000000000000',
    'merchant-order-id': clientOrderId,
    'paynet-order-id': '123456789012345',
    'end-point-id': '253',
  }
}

async function gateway(): Promise<number> {
  // Its address is only known once it listens.
  let handle: ReturnType<typeof createGateway>['handle']
  const listener = await listen((request) => handle(request))
  const merchants = [{ login, controlKey, publicKey, endpoints: [{ id: '253', currencies: ['USD', 'EUR'] }] }]
  const kept = store === undefined ? memoryStore() : sqliteStore({ file: store })
  const vaultKeys = readVaultKeys(newVaultKeys((bytes) => void randomFillSync(bytes), 'bench').reveal())
  ;({ handle } = createGateway({
    publicUrl: `${listener.origin}/paynet`,
    merchants,
    store: kept,
    vaultKeys,
    acquirer: simulator(),
  }))
  return Number(new URL(listener.origin).port)
}

const kinds: Readonly<Record<string, () => Promise<number>>> = {
  bare: () => bare(),
  'bare-hmac': () => bare(verifyHmac(controlKey)),
  'bare-rsa': () => bare(verifyRsa(publicKey)),
  'bare-seal': () => bare(sealCard()),
  express: emptyExpress,
  gateway,
}
const port = await kinds[kind]?.()
process.send?.({ port })
process.once('SIGINT', () => process.exit())
process.on('message', (asked) => {
  if (asked === 'heap') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, heap: process.memoryUsage().heapUsed })
})
