/** One server of the benchmark, in a process of its own. It reports its port, and on request the CPU time that it has used. */
import 'reflect-metadata'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { All, Controller, Module, Req, Res, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { createCallbackHandler, createPaymentClient, readInbound, sendGatewayReply } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { paymentCallbacks } from '@tallystick/express-adapter'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { PaymentsModule } from '@tallystick/nest-module'
import express, { type Request, type Response } from 'express'
import { ROUNDS } from '../gateway/cpu-time.ts'
import { clientOrderIdOf, ORDERS, orderIdOf } from './query.ts'
import { rowWriter } from './row-writer.ts'

const [kind = 'bare', setUp = '{}'] = process.argv.slice(2)
const { controlKey, folder } = JSON.parse(setUp) as { readonly controlKey: string; readonly folder: string }
const file = join(folder, `${kind}.db`)

async function listenOn(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Parses the query, commits one row and answers. */
async function bare(): Promise<number> {
  const write = rowWriter(file)
  return await listenOn((request, response) => {
    const query = new URLSearchParams(request.url?.split('?')[1])
    void write(JSON.stringify(Object.fromEntries(query))).then(() => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 2 })
      response.end('OK')
    })
  })
}

const clientOptions = {
  baseUrl: 'http://127.0.0.1:1/paynet',
  login: 'shop',
  controlKey,
  endpointId: '253',
}

/** A store with the orders of the callbacks, whose payments wait for their outcome. */
async function openStore() {
  const store = sqliteJournalStore({ file })
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: ORDERS }, (_, index) => store.insert(intentOf(`${kind}${round}-`, index))))
  }
  return store
}

function intentOf(run: string, index: number): Intent {
  const clientOrderId = clientOrderIdOf(run, index)
  return {
    intentId: clientOrderId,
    businessKey: `invoice ${clientOrderId}`,
    attempt: 1,
    operation: 'sale',
    kind: 'opening',
    clientOrderId,
    orderId: orderIdOf(index),
    amounts: ['1042'],
    currency: 'USD',
    digest: 'digest',
    state: 'ACCEPTED',
    version: 3,
    createdAt: Date.now(),
    sentAt: Date.now(),
    deadlineMs: 70_000,
    nextCheckAt: Date.now() + 3_600_000,
    sends: 1,
    absences: 0,
    holdsKey: true,
    holdsOrder: false,
    evidence: [],
  }
}

async function inbox() {
  const client = createPaymentClient(clientOptions)
  return { client, inbox: createJournal({ client, store: await openStore() }).inbox }
}

async function journal(): Promise<number> {
  const handle = createCallbackHandler(await inbox())
  return await listenOn((request, response) => {
    void readInbound(request)
      .then(handle)
      .then((outbound) => sendGatewayReply(response, outbound))
  })
}

async function emptyExpress(): Promise<number> {
  const { receive } = (await inbox()).inbox
  const app = express()
  app.get('/callback', async ({ query }: Request, response: Response) => {
    await receive(callbackOf(query as Readonly<Record<string, string>>))
    response.send('OK')
  })
  return await listenOn(app)
}

/** Reads the callback without verifying anything. */
function callbackOf(query: Readonly<Record<string, string>>) {
  const { status = '', orderid = '', client_orderid = '', type, amount, currency } = query
  return { status, orderId: orderid, clientOrderId: client_orderid, type, amount, currency }
}

async function ourExpress(): Promise<number> {
  const app = express()
  app.use('/callback', paymentCallbacks(await inbox()))
  return await listenOn(app)
}

/** Calls the decorators as functions, because node runs this file without compiling it. */
async function emptyNest(): Promise<number> {
  const { receive } = (await inbox()).inbox
  class Callbacks {
    async take({ query }: Request, response: Response): Promise<void> {
      await receive(callbackOf(query as Readonly<Record<string, string>>))
      response.send('OK')
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Callbacks.prototype, 'take')
  if (descriptor === undefined) throw new Error('there is no method')
  All()(Callbacks.prototype, 'take', descriptor)
  Req()(Callbacks.prototype, 'take', 0)
  Res()(Callbacks.prototype, 'take', 1)
  Controller('callback')(Callbacks)
  return await startNest({ controllers: [Callbacks] })
}

async function ourNest(): Promise<number> {
  const store = await openStore()
  const payments = PaymentsModule.forRoot({
    client: clientOptions,
    callbacks: { path: 'callback' },
    // Not started, because the benchmark checks no status.
    journal: (client, handler) => ({
      ...createJournal({ client, store, handler, onNotice: handler }),
      start: () => {},
    }),
  })
  return await startNest({ imports: [payments] })
}

async function startNest(metadata: Parameters<typeof Module>[0]): Promise<number> {
  class App {}
  Module(metadata)(App as Type<unknown>)
  const app = await NestFactory.create(App, { logger: false })
  await app.listen(0, '127.0.0.1')
  return (app.getHttpServer().address() as AddressInfo).port
}

const kinds: Readonly<Record<string, () => Promise<number>>> = {
  bare,
  journal,
  emptyExpress,
  ourExpress,
  emptyNest,
  ourNest,
}
const port = await kinds[kind]?.()
process.send?.({ port })
process.once('SIGINT', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
