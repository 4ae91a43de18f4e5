/** What receives callbacks, in a process of its own: our journal bare and in two frameworks, and what each is compared with. */
import 'reflect-metadata'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { All, Controller, Module, Req, Res, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { createCallbackHandler, createPaymentClient, readInbound } from '@tallystick/client'
import { sendGatewayReply } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import { paymentCallbacks } from '@tallystick/express-adapter'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { PaymentsModule } from '@tallystick/nest-module'
import express, { type Request, type Response } from 'express'
import { portOf, report } from './processes.ts'

export interface ShopSetUp {
  readonly kind: keyof typeof kinds
  readonly controlKey: string
  /** For the files of the stores. */
  readonly folder: string
  /** How many orders wait for a callback in each round, which are named as `callback` of `requests.ts` names them. */
  readonly orders: number
  readonly rounds: number
  readonly firstOrderId: number
}

const { kind, controlKey, folder, orders, rounds, firstOrderId } = JSON.parse(process.argv[2] ?? '{}') as ShopSetUp
const file = join(folder, `${kind}.db`)

/** Parses the query, commits one row and answers. */
function bare(): Promise<number> {
  const write = rowWriter()
  const server = createServer((request, response) => {
    const query = new URLSearchParams(request.url?.split('?')[1])
    void write(JSON.stringify(Object.fromEntries(query))).then(() => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 2 })
      response.end('OK')
    })
  })
  return portOf(server)
}

/**
 * The least work that makes one row durable: the rows of one turn of the event loop share a commit, with synchronous FULL, as in
 * our stores.
 */
function rowWriter(): (text: string) => Promise<void> {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE callback (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO callback (text) VALUES (?)')
  let open: { readonly text: string; readonly done: () => void }[] = []
  const commit = () => {
    const batch = open
    open = []
    database.exec('BEGIN IMMEDIATE')
    for (const { text } of batch) insert.run(text)
    database.exec('COMMIT')
    for (const { done } of batch) done()
  }
  return (text) =>
    new Promise((done) => {
      if (open.length === 0) setImmediate(commit)
      open.push({ text, done })
    })
}

const clientOptions = { baseUrl: 'http://127.0.0.1:1/paynet', login: 'shop', controlKey, endpointId: '253' }

/** A store with the orders of the callbacks, whose payments wait for their outcome. */
async function openStore() {
  const store = sqliteJournalStore({ file })
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: orders }, (_, index) => store.insert(intentOf(round, index))))
  }
  return store
}

function intentOf(round: number, index: number): Intent {
  const clientOrderId = `${kind}${round}-${index}z`
  return {
    intentId: clientOrderId,
    businessKey: `invoice ${clientOrderId}`,
    attempt: 1,
    operation: 'sale',
    kind: 'opening',
    clientOrderId,
    orderId: String(firstOrderId + index),
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
  const server = createServer((request, response) => {
    void readInbound(request)
      .then(handle)
      .then((outbound) => sendGatewayReply(response, outbound))
  })
  return await portOf(server)
}

async function emptyExpress(): Promise<number> {
  const { receive } = (await inbox()).inbox
  const app = express()
  app.get('/callback', async ({ query }: Request, response: Response) => {
    await receive(callbackOf(query as Readonly<Record<string, string>>))
    response.send('OK')
  })
  return await portOf(createServer(app))
}

/** Reads the callback without verifying anything. */
function callbackOf(query: Readonly<Record<string, string>>) {
  const { status = '', orderid = '', client_orderid = '', type, amount, currency } = query
  return { status, orderId: orderid, clientOrderId: client_orderid, type, amount, currency }
}

async function ourExpress(): Promise<number> {
  const app = express()
  app.use('/callback', paymentCallbacks(await inbox()))
  return await portOf(createServer(app))
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

const kinds = { bare, journal, emptyExpress, ourExpress, emptyNest, ourNest }
report(await kinds[kind]())
