import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { MikroORM } from '@mikro-orm/postgresql'
import type { JournalStore } from '@tallystick/client/ports'
import { sql } from 'drizzle-orm'
import { drizzle as drizzleOnPg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js'
import createKnex from 'knex'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import postgres from 'postgres'
import { Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { drizzleJournalStore } from '../../src/drizzle.ts'
import { knexJournalStore } from '../../src/knex.ts'
import { kyselyJournalStore } from '../../src/kysely.ts'
import { mikroOrmJournalStore } from '../../src/mikro-orm.ts'
import { postgresJsJournalStore } from '../../src/postgres-js.ts'
import { sequelizeJournalStore } from '../../src/sequelize.ts'
import { typeormJournalStore } from '../../src/typeorm.ts'

/** A shop's library on a database, with what the tests do through it. */
export interface Library<Transaction = never> {
  readonly store: JournalStore<Transaction>
  /** Writes a row into `paid (key, invoice)` as the library writes rows. */
  book(key: string, transaction: Transaction): Promise<unknown>
  /** Runs work in a transaction of the shop's. */
  inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  end(): Promise<unknown>
}

/** Opens a library on the schema that the address names. */
export type OpenLibrary = (url: string, most?: number) => Promise<Library>

export interface Paid {
  key: string
  invoice: string
}

export const INVOICE = 'invoice 77'
export const row = (key: string): Paid => ({ key, invoice: INVOICE })

/** The library with its own type of transaction, which the tests only pass on. */
export function made<Transaction>(library: Library<Transaction>): Library {
  return library as unknown as Library
}

/** The address without what only pg understands, and the schema. */
function placeOf(url: string): { readonly href: string; readonly schema: string } {
  const address = new URL(url)
  const [, schema = ''] = address.searchParams.get('options')?.split('search_path=') ?? []
  address.search = ''
  return { href: address.href, schema }
}

const Mikro = new MikroSchema<Paid>({
  name: 'Paid',
  tableName: 'paid',
  properties: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
})
const TypeOrmPaid = new EntitySchema<Paid>({
  name: 'paid',
  columns: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
})

/** As the guide says: postgres.js ends the process if a connection is lost while it asks for the types of the server. */
const UNASKED = { fetch_types: false }

/** As shops have them, with the settings of theirs that change what raw statements give. */
export const LIBRARIES: Readonly<Record<string, OpenLibrary>> = {
  'Drizzle on node-postgres': async (url, most) => {
    const db = drizzleOnPg({ client: new pg.Pool({ connectionString: url, ...maxOf(most) }) })
    return made({
      store: drizzleJournalStore(db),
      book: (key, tx) => tx.execute(sql`insert into paid (key, invoice) values (${key}, ${INVOICE})`),
      inTransaction: (work) => db.transaction(work),
      end: () => db.$client.end(),
    })
  },
  'Drizzle on postgres.js': async (url, most) => {
    const { href, schema } = placeOf(url)
    const db = drizzleOnPostgresJs({
      client: postgres(href, { ...UNASKED, connection: { search_path: schema }, ...maxOf(most) }),
    })
    return made({
      store: drizzleJournalStore(db),
      book: (key, tx) => tx.execute(sql`insert into paid (key, invoice) values (${key}, ${INVOICE})`),
      inTransaction: (work) => db.transaction(work),
      // postgres.js may wait for ever for connections that the server has ended.
      end: () => db.$client.end({ timeout: 1 }),
    })
  },
  Knex: async (url, most) => {
    const camel = (result: unknown) => {
      const { rows } = (result ?? {}) as { rows?: Record<string, unknown>[] }
      if (rows !== undefined) Object.assign(Object(result), { rows: rows.map(camelRow) })
      return result
    }
    const knex = createKnex({
      client: 'pg',
      connection: url,
      postProcessResponse: camel,
      ...(most === undefined ? {} : { pool: { min: 0, max: most } }),
    })
    return made({
      store: knexJournalStore(knex),
      book: (key, trx) => trx('paid').insert(row(key)),
      inTransaction: (work) => knex.transaction(work),
      end: () => knex.destroy(),
    })
  },
  Kysely: async (url, most) => {
    const pool = new pg.Pool({ connectionString: url, ...maxOf(most) })
    const db = new Kysely<{ paid: Paid }>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
    return made({
      store: kyselyJournalStore(db, { pool }),
      book: (key, trx) => trx.insertInto('paid').values(row(key)).execute(),
      inTransaction: (work) => db.transaction().execute(work),
      end: () => db.destroy(),
    })
  },
  MikroORM: async (url, most) => {
    const { href, schema } = placeOf(url)
    const orm = await MikroORM.init({
      entities: [Mikro],
      clientUrl: href,
      schema,
      driverOptions: { options: `-c search_path=${schema}` },
      ...(most === undefined ? {} : { pool: { min: 0, max: most } }),
    })
    return made({
      store: mikroOrmJournalStore(orm),
      book: (key, em) => em.insert(Mikro, row(key)),
      inTransaction: (work) => orm.em.fork().transactional((em) => work(em as typeof orm.em)),
      end: () => orm.close(),
    })
  },
  'postgres.js': async (url, most) => {
    const { href, schema } = placeOf(url)
    const options = {
      ...UNASKED,
      connection: { search_path: schema },
      transform: postgres.camel,
      types: { bigint: postgres.BigInt },
    }
    const shop = postgres(href, { ...options, ...maxOf(most) })
    return made({
      store: postgresJsJournalStore(shop),
      book: (key, tx) => tx`insert into paid ${tx(row(key), 'key', 'invoice')}`,
      inTransaction: (work) => shop.begin(work) as ReturnType<typeof work>,
      end: () => shop.end({ timeout: 1 }),
    })
  },
  Sequelize: async (url, most) => {
    const shop = new Sequelize(url, { logging: false, ...(most === undefined ? {} : { pool: { max: most } }) })
    return made({
      store: sequelizeJournalStore(shop),
      book: (key, transaction) =>
        shop.query('insert into paid (key, invoice) values (?, ?)', { replacements: [key, INVOICE], transaction }),
      inTransaction: (work) => shop.transaction(work),
      end: () => shop.close(),
    })
  },
  TypeORM: async (url, most) => {
    const { schema } = placeOf(url)
    const pool = most === undefined ? {} : { poolSize: most }
    const source = await new DataSource({
      type: 'postgres',
      url,
      schema,
      entities: [TypeOrmPaid],
      ...pool,
    }).initialize()
    return made({
      store: typeormJournalStore(source),
      book: (key, manager) => manager.getRepository(TypeOrmPaid).insert(row(key)),
      inTransaction: (work) => source.transaction(work),
      end: () => source.destroy(),
    })
  },
}

function maxOf(most: number | undefined): { readonly max?: number } {
  return most === undefined ? {} : { max: most }
}

function camelRow(given: Record<string, unknown>): Record<string, unknown> {
  const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value]))
}
