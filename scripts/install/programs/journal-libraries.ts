import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { MikroORM } from '@mikro-orm/postgresql'
import type { Intent, JournalStore, NewOutcome } from '@tallystick/client/ports'
import { drizzleJournalStore } from '@tallystick/journal/drizzle'
import { knexJournalStore } from '@tallystick/journal/knex'
import { mikroOrmJournalStore } from '@tallystick/journal/mikro-orm'
import { mysql2JournalStore } from '@tallystick/journal/mysql2'
import { postgresJsJournalStore } from '@tallystick/journal/postgres-js'
import { sequelizeJournalStore } from '@tallystick/journal/sequelize'
import { typeormJournalStore } from '@tallystick/journal/typeorm'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import createKnex from 'knex'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import postgres from 'postgres'
import { Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'

interface Paid {
  key: string
  invoice: string
}

const { POSTGRES_URL: url = '', MARIADB_URL: uri } = process.env
const invoice = 'invoice 77'
const table = 'create table paid (key text primary key, invoice text)'

const shop = new pg.Pool({ connectionString: url, max: 4 })
const emptied = async () => void (await shop.query(`drop schema public cascade; create schema public; ${table}`))
const paid = async () => (await shop.query<Paid>('select * from paid')).rows

await emptied()
{
  const db = drizzle({ client: shop })
  await booksOnce(drizzleJournalStore(db), paid, (key, tx) =>
    tx.execute(sql`insert into paid values (${key}, ${invoice})`),
  )
}
await emptied()
{
  const knex = createKnex({ client: 'pg', connection: url })
  await booksOnce(knexJournalStore(knex), paid, (key, trx) => trx('paid').insert({ key, invoice }))
  await knex.destroy()
}
await emptied()
{
  const Entity = new MikroSchema<Paid>({
    name: 'Paid',
    tableName: 'paid',
    properties: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
  })
  const orm = await MikroORM.init({ entities: [Entity], clientUrl: url })
  await booksOnce(mikroOrmJournalStore(orm), paid, (key, em) => em.insert(Entity, { key, invoice }))
  await orm.close()
}
await emptied()
{
  const client = postgres(url, { fetch_types: false })
  await booksOnce(postgresJsJournalStore(client), paid, (key, tx) => tx`insert into paid values (${key}, ${invoice})`)
  await client.end()
}
await emptied()
{
  const sequelize = new Sequelize(url, { logging: false })
  await booksOnce(sequelizeJournalStore(sequelize), paid, (key, transaction) =>
    sequelize.query('insert into paid values (?, ?)', { replacements: [key, invoice], transaction }),
  )
  await sequelize.close()
}
await emptied()
{
  const Entity = new EntitySchema<Paid>({
    name: 'paid',
    columns: { key: { type: 'text', primary: true }, invoice: { type: 'text' } },
  })
  const source = await new DataSource({ type: 'postgres', url, entities: [Entity] }).initialize()
  await booksOnce(typeormJournalStore(source), paid, (key, manager) =>
    manager.getRepository(Entity).insert({ key, invoice }),
  )
  await source.destroy()
}
await shop.end()

if (uri !== undefined) {
  const pool = createPool({ uri })
  await pool.query('create table paid (`key` varchar(100) primary key, invoice text)')
  const rows = async () => (await pool.query('select * from paid'))[0] as Paid[]
  await booksOnce(mysql2JournalStore(pool), rows, (key, connection) =>
    connection.query('insert into paid values (?, ?)', [key, invoice]),
  )
  await pool.end()
}

/** What a handler writes that throws is taken back, and it is called again until it does not. */
async function booksOnce<Transaction>(
  store: JournalStore<Transaction>,
  booked: () => Promise<readonly Paid[]>,
  book: (key: string, transaction: Transaction) => PromiseLike<unknown>,
): Promise<void> {
  const intent: Intent = {
    intentId: 'intent-1',
    businessKey: 'invoice 77',
    attempt: 1,
    operation: 'sale',
    kind: 'opening',
    clientOrderId: 'order-a',
    amounts: ['1042'],
    currency: 'USD',
    digest: 'd',
    state: 'PREPARED',
    version: 1,
    createdAt: 1000,
    deadlineMs: 70_000,
    sends: 0,
    absences: 0,
    holdsKey: true,
    holdsOrder: false,
    evidence: [],
  }
  const { intentId, businessKey, clientOrderId } = intent
  const outcomes: NewOutcome[] = [
    { kind: 'outcome', intentId, businessKey, operation: 'sale', clientOrderId, status: 'approved' },
  ]
  await store.insert(intent)
  await store.update({ intent: { ...intent, version: 2 }, outcomes })
  const [open] = await store.openOutcomes(0, 10)
  if (open === undefined) throw new Error('there is no outcome')
  const failed = store.deliver(open.outcome, 1, async (transaction) => {
    await book('taken back', transaction)
    throw new Error('after its write')
  })
  const said = await failed.catch((error: unknown) => String(error))
  const delivered = await store.deliver(open.outcome, 2, async (tx) => void (await book('booked', tx)))
  const again = await store.deliver(open.outcome, 3, async (tx) => void (await book('again', tx)))
  const keys = (await booked()).map(({ key }) => key)
  const found = JSON.stringify([said, delivered, again, keys])
  if (found !== '["Error: after its write","done","not-mine",["booked"]]') throw new Error(`it booked ${found}`)
}
