import { once } from 'node:events'
import { MikroOrmModule } from '@mikro-orm/nestjs'
import {
  type EntityManager as MikroManager,
  MikroORM,
  EntitySchema as MikroSchema,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql'
import { type DynamicModule, Inject, Injectable, type ModuleMetadata } from '@nestjs/common'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm'
import type { Clock, PaymentClientOptions } from '@tallystick/client'
import { createJournal, type Journal } from '@tallystick/journal'
import { mikroOrmJournalStore } from '@tallystick/journal/mikro-orm'
import { typeormJournalStore } from '@tallystick/journal/typeorm'
import { type TestDatabase, testDatabase } from '@tallystick/test-postgres'
import { saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import pg from 'pg'
import { DataSource, type EntityManager, EntitySchema, type Repository } from 'typeorm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getPaymentJournalToken, type JournaledOutcome, OnPaymentOutcome, PaymentsModule } from '../src/index.ts'
import { startApp } from './support.ts'

/** The modules of database libraries for Nest, as apps wire them, with a journal on the connections that they inject. */

interface Paid {
  key: string
  invoice: string
}

const TypeOrmPaid = new EntitySchema<Paid>({
  name: 'paid',
  columns: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
})

const MikroPaid = new MikroSchema<Paid>({
  name: 'Paid',
  tableName: 'paid',
  properties: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
})

/** What a test makes happen in the method, after its write. */
@Injectable()
class Afterwards {
  calls = 0
  happen: () => unknown = () => {}

  async written(): Promise<void> {
    this.calls++
    await this.happen()
  }
}

@Injectable()
class TypeOrmInvoices {
  readonly #paid: Repository<Paid>
  readonly #afterwards: Afterwards

  constructor(
    @Inject(getRepositoryToken(TypeOrmPaid)) paid: Repository<Paid>,
    @Inject(Afterwards) afterwards: Afterwards,
  ) {
    this.#paid = paid
    this.#afterwards = afterwards
  }

  @OnPaymentOutcome('approved')
  async record({ outcome, transaction }: JournaledOutcome<EntityManager>): Promise<void> {
    await transaction.withRepository(this.#paid).insert({ key: outcome.key, invoice: outcome.businessKey })
    await this.#afterwards.written()
  }
}

@Injectable()
class MikroInvoices {
  readonly #afterwards: Afterwards

  constructor(@Inject(Afterwards) afterwards: Afterwards) {
    this.#afterwards = afterwards
  }

  @OnPaymentOutcome('approved')
  async record({ outcome, transaction }: JournaledOutcome<MikroManager>): Promise<void> {
    transaction.create(MikroPaid, { key: outcome.key, invoice: outcome.businessKey })
    await transaction.flush()
    await this.#afterwards.written()
  }
}

interface Wiring {
  /** The library's module at an address, and those of the app that use it. */
  modules(url: string): NonNullable<ModuleMetadata['imports']>
  /** The instance with a journal on what the library's module provides. */
  payments(options: Options): DynamicModule
  readonly invoices: typeof TypeOrmInvoices | typeof MikroInvoices
}

interface Options {
  readonly merchant: PaymentClientOptions
  /** The journal's, which a test advances. */
  readonly clock: Clock
  readonly global: boolean
}

const WIRINGS: Readonly<Record<string, Wiring>> = {
  '@nestjs/typeorm': {
    modules: (url) => [
      TypeOrmModule.forRoot({ type: 'postgres', url, autoLoadEntities: true }),
      TypeOrmModule.forFeature([TypeOrmPaid]),
    ],
    payments: ({ merchant, clock, global }) =>
      PaymentsModule.forRootAsync({
        global,
        callbacks: { path: 'callback' },
        inject: [DataSource],
        useFactory: (source: DataSource) => ({
          client: merchant,
          journal: (client, handler) =>
            createJournal({ client, clock, handler, onNotice: handler, store: typeormJournalStore(source) }),
        }),
      }),
    invoices: TypeOrmInvoices,
  },
  '@mikro-orm/nestjs': {
    modules: (url) => [
      MikroOrmModule.forRoot({ driver: PostgreSqlDriver, clientUrl: url, autoLoadEntities: true }),
      MikroOrmModule.forFeature([MikroPaid]),
    ],
    payments: ({ merchant, clock, global }) =>
      PaymentsModule.forRootAsync({
        global,
        callbacks: { path: 'callback' },
        inject: [MikroORM],
        useFactory: (orm: MikroORM) => ({
          client: merchant,
          journal: (client, handler) =>
            createJournal({ client, clock, handler, onNotice: handler, store: mikroOrmJournalStore(orm) }),
        }),
      }),
    invoices: MikroInvoices,
  },
}

describe.each(Object.entries(WIRINGS))('A journal in an app with %s', (_library, { modules, payments, invoices }) => {
  let database: TestDatabase
  let gateway: TestGateway
  beforeEach(async () => {
    database = await testDatabase()
    gateway = await startGateway()
    await inDatabase('create table paid (key text primary key, invoice text)')
  })
  afterEach(async () => {
    await gateway.close()
    await database.close()
  })

  async function inDatabase(statement: string): Promise<readonly object[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  const booked = () => inDatabase('select invoice from paid')

  /** The app, whose payments module comes before or after that of the library. */
  async function start({ global = false, first = false } = {}) {
    const registered = payments({ merchant: gateway.merchant, clock: gateway.clock, global })
    const others = modules(database.url)
    const { app, url } = await startApp(() => new FastifyAdapter(), {
      imports: first ? [registered, ...others] : [...others, registered],
      providers: [invoices, Afterwards],
    })
    const journal = app.get<Journal>(getPaymentJournalToken())
    const { clientOrderId: _, ...sale } = saleInput({ serverCallbackUrl: `${url}/callback` })
    return { app, journal, afterwards: app.get(Afterwards), pay: () => journal.pay('invoice 77', 'sale', sale) }
  }

  test('a method that throws after its write has written nothing, and once it returns it has written once', async () => {
    const { journal, afterwards, pay } = await start()
    afterwards.happen = async () => {
      if (afterwards.calls === 1) throw new Error('the mail server is down')
    }
    expect(await pay()).toMatchObject({ outcome: 'accepted' })
    await gateway.settled()
    await expect(journal.settled()).rejects.toThrow('the mail server is down')
    expect([afterwards.calls, await booked()]).toEqual([1, []])
    await gateway.clock.advance('10s')
    await journal.settled()
    expect([afterwards.calls, await booked()]).toEqual([2, [{ invoice: 'invoice 77' }]])
  })

  test.each([
    { global: false, first: false },
    { global: false, first: true },
    { global: true, first: false },
    { global: true, first: true },
  ])(
    'the journal ends before the connections of the library (global: $global, imported first: $first)',
    async (order) => {
      const { app, afterwards, pay } = await start(order)
      const { promise: called, resolve: call } = Promise.withResolvers<void>()
      const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
      afterwards.happen = async () => {
        call()
        await goesOn
      }
      await pay()
      await called
      const closed = app.close()
      await once(app.getHttpServer(), 'close')
      // Whatever would end the connections too early has its turn.
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
      goOn()
      await closed
      expect([afterwards.calls, await booked()]).toEqual([1, [{ invoice: 'invoice 77' }]])
    },
  )
})
