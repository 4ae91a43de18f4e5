/**
 * Measures a payment with the journal in the shop's database, from `pay` to the commit of the handler's transaction: intent, sale,
 * callback, status, row of the shop. Client and gateway run in the same process; what they need without a journal is taken off.
 *
 * - `statements`: what it sends to PostgreSQL, how many transactions write there, and what both cost
 * - `bridges`: CPU through each library on PostgreSQL, against bare pg, and on MariaDB if it is installed
 * - `peers`: CPU of process and server, against a DBOS workflow and a chain of pg-boss jobs that do the same
 * - `object`: CPU of a payment on the hosted form through `createPayments`, against client, journal and handler of one's own
 *
 *     node --conditions=@tallystick/source bench/journal.ts [statements] [bridges] [peers] [object]
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { createCallbackHandler, createPaymentClient, type PaymentClient, toFetchHandler } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { createPayments } from '@tallystick/payments'
import { type TestServer, testServer } from '@tallystick/test-postgres'
import { saleInput, signedCallback, startGateway, type TestGateway, testControlKey } from '@tallystick/testing'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { LIBRARIES, type Library, row } from '../packages/journal/test/store/libraries.ts'
import { mariaDbProgram, mariaDbServer } from '../packages/journal/test/store/mariadb-server.ts'
import { MYSQL_LIBRARIES } from '../packages/journal/test/store/mysql-libraries.ts'
import { measure, printTable, type Row, size } from './kit/measure.ts'
import { serverCosts } from './kit/postgres.ts'

const PAYMENTS = size(100, 10)
const ROUNDS = size(5, 1)
const IN_FLIGHT = 10
const CALLBACK = 'https://shop.example.com/callback'

/** A shop, and the gateway in its process. */
interface Shop {
  /** Resolves when the shop has written that it was paid. */
  pay(name: string): Promise<void>
  close(): Promise<unknown>
}

type Notice = (name: string, orderId: string) => Promise<unknown>

/** A gateway that sends each callback to the shop as soon as it may. */
async function gatewayTo(receive: (url: string) => Promise<number>): Promise<TestGateway> {
  return await startGateway({ socket: false, sendCallback: async (url) => ({ status: await receive(url) }) })
}

const sale = (clientOrderId: string) => saleInput({ clientOrderId, serverCallbackUrl: CALLBACK })
/** The journal makes the id. */
const { clientOrderId: _, ...input } = sale('any')

/** Sales whose callback `notice` is told of, once it is verified. */
async function shopWith(
  make: (client: PaymentClient) => Promise<{ pay: Shop['pay']; notice: Notice; close(): Promise<unknown> }>,
): Promise<Shop> {
  let answer: (url: string) => Promise<number> = async () => 500
  const gateway = await gatewayTo((url) => answer(url))
  const client = gateway.client()
  const { pay, notice, close } = await make(client)
  const handle = createCallbackHandler({
    client,
    inbox: {
      receive: async (entry) => {
        await notice(entry.clientOrderId, entry.orderId)
        return 'stored'
      },
    },
  })
  const callback = toFetchHandler(handle)
  answer = async (url) => (await callback(new Request(url))).status
  return {
    pay,
    close: async () => {
      await close()
      await gateway.close()
    },
  }
}

/** What is left of a payment without anything durable: sale, callback, status. */
const withoutJournal = () =>
  shopWith(async (client) => {
    const told = new Map<string, () => void>()
    return {
      pay: async (name) => {
        const called = new Promise<void>((resolve) => told.set(name, resolve))
        await client.sale(sale(name))
        await called
        assert.equal((await client.status({ clientOrderId: name })).status, 'approved')
      },
      notice: async (name) => told.get(name)?.(),
      close: async () => {},
    }
  })

/** A shop with a journal, whose handler books by `book`. */
async function shopOn<Transaction>(
  store: JournalStore<Transaction>,
  book: (key: string, transaction: Transaction) => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<Shop> {
  let answer: (url: string) => Promise<number> = async () => 500
  const gateway = await gatewayTo((url) => answer(url))
  const client = gateway.client()
  const paid = new Map<string, () => void>()
  const journal = createJournal({
    client,
    store,
    handler: async ({ outcome, transaction }) => {
      await book(outcome.key, transaction)
      paid.get(outcome.businessKey)?.()
    },
    onNotice: 'ignore',
  })
  journal.start()
  const callback = toFetchHandler(createCallbackHandler({ client, inbox: journal.inbox }))
  answer = async (url) => (await callback(new Request(url))).status
  return {
    pay: async (name) => {
      const booked = new Promise<void>((resolve) => paid.set(name, resolve))
      await journal.pay(name, 'sale', input)
      await booked
    },
    close: async () => {
      await journal.close()
      await gateway.close()
      await end()
    },
  }
}

const shopThrough = ({ store, book, end }: Library) => shopOn(store, book, end)

async function shopOnPg(url: string): Promise<Shop> {
  const pool = new pg.Pool({ connectionString: url })
  return await shopOn(
    postgresJournalStore({ pool }),
    (key, client) => client.query('insert into paid (key, invoice) values ($1, $2)', Object.values(row(key))),
    () => pool.end(),
  )
}

/** Microseconds of CPU for each payment, of this process and of the server. */
async function costOf(shop: Shop, round: string, server: () => Promise<number>, payments: number): Promise<number> {
  const names = Array.from({ length: payments }, (_, index) => `${round}-${index}`)
  const before = { own: process.cpuUsage(), server: await server() }
  const waiting = names.values()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const name of waiting) await shop.pay(name)
    }),
  )
  const { user, system } = process.cpuUsage(before.own)
  return (user + system + (await server()) - before.server) / payments
}

interface Rounds {
  readonly payments: number
  readonly rounds: number
}

/** The cost of each round, in which all take turns. The first one only warms up, and is left out. */
async function costsByRound(
  shops: Readonly<Record<string, Shop>>,
  server: () => Promise<number>,
  { payments, rounds }: Rounds,
): Promise<(name: string) => readonly number[]> {
  const costs = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++) {
    // Who comes first in a round pays for what the other has left to collect.
    const inTurn = Object.entries(shops)
    for (const [name, shop] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
      const cost = await costOf(shop, `${randomUUID().slice(0, 8)}`, server, payments)
      if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost])
    }
  }
  for (const shop of Object.values(shops)) await shop.close()
  return (name) => costs.get(name) ?? []
}

/** The least of several rounds. */
async function leastCosts(shops: Readonly<Record<string, Shop>>, server: () => Promise<number>) {
  const costs = await costsByRound(shops, server, { payments: PAYMENTS, rounds: ROUNDS })
  return (name: string) => Math.min(...costs(name))
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

const ownAlone = async () => 0

/** A schema of its own with the shop's table. */
async function schemaIn({ url }: TestServer, schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create schema ${schema}; create table ${schema}.paid (key text primary key, invoice text)`)
  await client.end()
  const address = new URL(url)
  address.searchParams.set('options', `-c search_path=${schema}`)
  return address.href
}

async function shopsOf(
  libraries: Readonly<Record<string, (url: string) => Promise<Library>>>,
  fresh: (name: string) => Promise<string>,
): Promise<Record<string, Shop>> {
  const shops: Record<string, Shop> = {}
  for (const [name, open] of Object.entries(libraries)) shops[name] = await shopThrough(await open(await fresh(name)))
  return shops
}

async function statements(): Promise<void> {
  const server = await testServer({ settings: { max_wal_size: '4GB' } })
  const costs = await serverCosts(server.url, 'public')
  const sent = countStatements()
  const shop = await shopOnPg(await schemaIn(server, 'counted'))
  const base = await withoutJournal()
  const read = async () => ({ sent: sent(), ...(await costs.read()) })
  let least = { own: Number.POSITIVE_INFINITY, server: Number.POSITIVE_INFINITY, base: Number.POSITIVE_INFINITY }
  let counted = { statements: 0, writes: 0, payments: 0 }
  for (let round = 0; round <= ROUNDS; round++) {
    const withNothing = await costOf(base, `${round}`, ownAlone, PAYMENTS)
    const before = await read()
    const own = await costOf(shop, `${round}`, ownAlone, PAYMENTS)
    const after = await read()
    if (round === 0) continue
    least = {
      own: Math.min(least.own, own),
      server: Math.min(least.server, (after.cpu - before.cpu) / PAYMENTS),
      base: Math.min(least.base, withNothing),
    }
    counted = {
      // The costs are read by three statements, and the number of the transaction is one of its own.
      statements: counted.statements + after.sent - before.sent - OF_READING.statements,
      writes: counted.writes + after.writes - before.writes - OF_READING.writes,
      payments: counted.payments + PAYMENTS,
    }
  }
  await shop.close()
  await base.close()
  await costs.close()
  await server.close()
  printTable(`A payment with the journal on pg, ${IN_FLIGHT} at once`, [
    { what: 'statements', figure: counted.statements / counted.payments, unit: '', goal: 'at most 21' },
    { what: 'transactions that write', figure: counted.writes / counted.payments, unit: '', goal: 'at most 3.7' },
    { what: 'CPU of the process, without client and gateway', figure: least.own - least.base, unit: 'us' },
    { what: 'CPU of the server', figure: least.server, unit: 'us' },
  ])
}

/** What `serverCosts` does itself each time. */
const OF_READING = { statements: 4, writes: 1 }

/** Counts what this process sends through pg, also the begin and the end of a transaction. */
function countStatements(): () => number {
  let count = 0
  const { query } = pg.Client.prototype
  Object.defineProperty(pg.Client.prototype, 'query', {
    value: function (this: pg.Client, ...given: unknown[]) {
      count++
      return Reflect.apply(query, this, given)
    },
  })
  return () => count
}

async function bridges(): Promise<void> {
  const server = await testServer({ settings: { max_wal_size: '4GB' } })
  const schemaOf = (name: string) => schemaIn(server, name.toLowerCase().replaceAll(/\W+/g, '_'))
  const onPostgres = await leastCosts(
    {
      base: await withoutJournal(),
      pg: await shopOnPg(await schemaOf('bare')),
      ...(await shopsOf(LIBRARIES, schemaOf)),
    },
    ownAlone,
  )
  await server.close()
  const base = onPostgres('base')
  printTable(`A payment on PostgreSQL, ${IN_FLIGHT} at once: CPU of the process`, [
    { what: 'client and gateway, without a journal', figure: base, unit: 'us' },
    { what: 'the journal on pg, beside that', figure: onPostgres('pg') - base, unit: 'us' },
    ...Object.keys(LIBRARIES).map(
      (name): Row => ({
        what: `through ${name}, against it`,
        figure: (onPostgres(name) - base) / (onPostgres('pg') - base),
        unit: 'times',
        goal: 'at most 1.25',
      }),
    ),
  ])
  if (mariaDbProgram === undefined) return void process.stdout.write('MariaDB is not installed: not measured\n')
  const mariaDb = await mariaDbServer(mariaDbProgram)
  const fresh = async () => {
    const url = await mariaDb.fresh()
    await mariaDb.runIn(url, 'create table paid (`key` varchar(100) primary key, invoice text)')
    return url
  }
  const onMariaDb = await leastCosts(
    { base: await withoutJournal(), ...(await shopsOf(MYSQL_LIBRARIES, fresh)) },
    ownAlone,
  )
  await mariaDb.stop()
  printTable(
    'The same on MariaDB',
    Object.keys(MYSQL_LIBRARIES).map((name) => ({
      what: `the journal through ${name}`,
      figure: onMariaDb(name) - onMariaDb('base'),
      unit: 'us',
    })),
  )
}

/** Steps are noted as they end, and the row is written by the last one: at least once, so that it has a key. */
function shopOnDbos(url: string): Promise<Shop> {
  return shopWith(async (client) => {
    const pool = new pg.Pool({ connectionString: url })
    const book = (key: string) =>
      pool.query('insert into paid (key, invoice) values ($1, $2) on conflict do nothing', Object.values(row(key)))
    const payment = DBOS.registerWorkflow(async (name: string) => {
      await DBOS.runStep(async () => (await client.sale(sale(name))).outcome, { name: 'sale' })
      await DBOS.recv('callback', 60)
      const status = await DBOS.runStep(async () => (await client.status({ clientOrderId: name })).status, {
        name: 'status',
      })
      assert.equal(status, 'approved')
      await DBOS.runStep(async () => void (await book(name)), { name: 'book' })
    })
    DBOS.setConfig({ name: 'shop', systemDatabaseUrl: url, logLevel: 'error', runAdminServer: false })
    await DBOS.launch()
    return {
      pay: async (name) => {
        const handle = await DBOS.startWorkflow(payment, { workflowID: name })(name)
        await handle.getResult()
      },
      notice: (name) => DBOS.send(name, 'called', 'callback'),
      close: async () => {
        await DBOS.shutdown()
        await pool.end()
      },
    }
  })
}

/** A job for each step, which sends the next one. The row and the end of its job are not one transaction either. */
function shopOnPgBoss(url: string): Promise<Shop> {
  return shopWith(async (client) => {
    const pool = new pg.Pool({ connectionString: url })
    const boss = new PgBoss({ connectionString: url })
    const paid = new Map<string, () => void>()
    await boss.start()
    const steps: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
      sale: (name) => client.sale(sale(name)),
      status: async (name) => {
        assert.equal((await client.status({ clientOrderId: name })).status, 'approved')
        await boss.send('book', { name })
      },
      book: async (key) => {
        await pool.query(
          'insert into paid (key, invoice) values ($1, $2) on conflict do nothing',
          Object.values(row(key)),
        )
        paid.get(key)?.()
      },
    }
    for (const [step, work] of Object.entries(steps)) {
      await boss.createQueue(step)
      await boss.work<{ name: string }>(step, { batchSize: IN_FLIGHT, pollingIntervalSeconds: 0.5 }, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => work(data.name)))
      })
    }
    return {
      pay: async (name) => {
        const booked = new Promise<void>((resolve) => paid.set(name, resolve))
        await boss.send('sale', { name })
        await booked
      },
      notice: (name) => boss.send('status', { name }),
      close: async () => {
        await boss.stop({ graceful: true })
        await pool.end()
      },
    }
  })
}

async function peers(): Promise<void> {
  const server = await testServer({ settings: { max_wal_size: '4GB' } })
  const costs = await serverCosts(server.url, 'public')
  const cost = await leastCosts(
    {
      base: await withoutJournal(),
      journal: await shopOnPg(await schemaIn(server, 'journal_shop')),
      dbos: await shopOnDbos(await schemaIn(server, 'dbos_shop')),
      boss: await shopOnPgBoss(await schemaIn(server, 'boss_shop')),
    },
    async () => (await costs.read()).cpu,
  )
  await costs.close()
  await server.close()
  const ours = cost('journal') - cost('base')
  printTable(`A payment on PostgreSQL, ${IN_FLIGHT} at once: CPU of process and server, without client and gateway`, [
    { what: 'with the journal on pg', figure: ours, unit: 'us' },
    {
      what: 'as a DBOS workflow, against it',
      figure: (cost('dbos') - cost('base')) / ours,
      unit: 'times',
      goal: 'more than 1',
    },
    {
      what: 'as a chain of pg-boss jobs',
      figure: (cost('boss') - cost('base')) / ours,
      unit: 'times',
      goal: 'more than 1',
    },
  ])
}

const SHOP_URL = 'https://shop.example.com'
const key = testControlKey()

/** A client whose gateway costs next to nothing: it opens forms, and knows each of them as an approved order. */
function clientOfForms(): PaymentClient {
  const opened = new Set<string>()
  return createPaymentClient({
    baseUrl: 'https://gate.example.com/paynet',
    login: 'shop',
    controlKey: key,
    endpointId: '253',
    transport: {
      send: async ({ url, body }) => {
        const name = new URLSearchParams(body).get('client_orderid') ?? ''
        const order = { 'merchant-order-id': name, 'paynet-order-id': '123456789012345', 'serial-number': 'sn-1' }
        const approved = { type: 'status-response', status: 'approved', amount: '10.42', currency: 'EUR' }
        const opening = { type: 'async-form-response', 'redirect-url': `https://gate.example.com/form/${name}` }
        const absent = { type: 'validation-error', 'error-code': '2', 'error-message': 'no such order' }
        const isStatus = url.includes('/status/')
        const known = isStatus ? approved : opening
        const text = JSON.stringify(isStatus && !opened.has(name) ? absent : { ...order, ...known })
        if (!isStatus) opened.add(name)
        return { kind: 'replied', httpStatus: 200, mediaType: 'application/json', body: text }
      },
      close: async () => {},
    },
  })
}

/** What the gateway calls once the customer has paid on its page. */
function callbackOf(clientOrderId: string): Request {
  const callback = { status: 'approved', orderId: '123456789012345', clientOrderId, type: 'sale' } as const
  return new Request(`${SHOP_URL}/payments/callback?${signedCallback(callback, key)}`)
}

const where = { address1: 'Main st 1', city: 'Berlin', zipCode: '10115', country: 'DE' }
const customer = { email: 'a@example.com', phone: '+49301234567', ...where }
const money = { amount: '10.42', currency: 'EUR' }

type Book<Transaction> = (key: string, transaction: Transaction) => Promise<unknown>

/** Client, journal and handlers, put together as the guides did before `createPayments`. */
async function shopOfPieces<Transaction>(store: JournalStore<Transaction>, book: Book<Transaction>): Promise<Shop> {
  const paid = new Map<string, () => void>()
  const client = clientOfForms()
  const journal = createJournal<Transaction>({
    client,
    store,
    handler: async ({ outcome, transaction }) => {
      if (outcome.status !== 'approved') return
      await book(outcome.key, transaction)
      paid.get(outcome.businessKey)?.()
    },
    onNotice: 'ignore',
  })
  journal.start()
  const callback = toFetchHandler(createCallbackHandler({ client, inbox: journal.inbox }))
  const addresses = { redirectUrl: `${SHOP_URL}/payments/return`, serverCallbackUrl: CALLBACK, notifyUrl: CALLBACK }
  return {
    pay: async (name) => {
      const booked = new Promise<void>((resolve) => paid.set(name, resolve))
      const form = { ...customer, ...money, ...addresses, customerIp: '203.0.113.7', orderDesc: 'Tea' }
      const { outcome, intent } = await journal.pay(name, 'saleForm', form, { attempt: 'next' })
      assert.equal(outcome, 'accepted')
      assert.equal((await callback(callbackOf(intent.clientOrderId))).status, 200)
      await booked
    },
    close: () => journal.close(),
  }
}

async function shopOfOneObject<Transaction>(store: JournalStore<Transaction>, book: Book<Transaction>): Promise<Shop> {
  const paid = new Map<string, () => void>()
  const payments = createPayments<Transaction>({
    gateway: clientOfForms(),
    database: store,
    shopUrl: SHOP_URL,
    onPaid: async ({ payment, transaction }) => {
      await book(payment.id, transaction)
      paid.get(payment.key)?.()
    },
    onNotice: 'ignore',
    onEvent: () => {},
  })
  return {
    pay: async (name) => {
      const booked = new Promise<void>((resolve) => paid.set(name, resolve))
      const order = { ...money, description: 'Tea', customer: { ...customer, ip: '203.0.113.7' } }
      const { show, intent } = await payments.pay(name, order)
      assert.equal(show, 'redirect')
      assert.equal((await payments.fetch(callbackOf(intent?.clientOrderId ?? ''))).status, 200)
      await booked
    },
    close: () => payments.close(),
  }
}

async function object(): Promise<void> {
  // A store in memory looks through all payments that it has, so each round begins with an empty one.
  const inMemory: [pieces: number, object: number][] = []
  for (let round = 0; round < size(15, 1); round++) {
    const shops = {
      pieces: await shopOfPieces(memoryJournalStore(), async () => {}),
      object: await shopOfOneObject(memoryJournalStore(), async () => {}),
    }
    const costs = await costsByRound(shops, ownAlone, { payments: size(200, 10), rounds: 2 })
    inMemory.push([Math.min(...costs('pieces')), Math.min(...costs('object'))])
  }
  const server = await testServer({ settings: { max_wal_size: '4GB' } })
  const pools: pg.Pool[] = []
  const onPool = async <Made>(
    schema: string,
    make: (store: JournalStore<pg.PoolClient>, book: Book<pg.PoolClient>) => Promise<Made>,
  ) => {
    const pool = new pg.Pool({ connectionString: await schemaIn(server, schema) })
    pools.push(pool)
    return await make(postgresJournalStore({ pool }), (key, client) =>
      client.query('insert into paid (key, invoice) values ($1, $2)', Object.values(row(key))),
    )
  }
  const costs = await costsByRound(
    { pieces: await onPool('pieces', shopOfPieces), object: await onPool('one_object', shopOfOneObject) },
    ownAlone,
    { payments: PAYMENTS, rounds: size(15, 1) },
  )
  const onPostgres = costs('pieces').map((pieces, at) => [pieces, costs('object')[at] ?? Number.NaN] as const)
  for (const pool of pools) await pool.end()
  await server.close()
  const rowsOf = (where: string, rounds: ReadonlyArray<readonly [pieces: number, object: number]>): Row[] => [
    { what: `client, journal and handler, ${where}`, figure: median(rounds.map(([pieces]) => pieces)), unit: 'us' },
    {
      what: `createPayments, ${where}`,
      figure: median(rounds.map(([pieces, object]) => object / pieces)),
      unit: 'times',
      goal: 'at most 1.05',
    },
  ]
  printTable(`A payment on the hosted form, ${IN_FLIGHT} at once: CPU of the process, medians of the rounds`, [
    ...rowsOf('in memory', inMemory),
    ...rowsOf('on PostgreSQL', onPostgres),
  ])
}

await measure({ statements, bridges, peers, object })
