import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JournalStore, memoryJournalStore, sqliteJournalStore } from '@tallystick/journal'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { type TestDatabase, testDatabase } from '@tallystick/test-postgres'
import { cards, startGateway, type TestGateway } from '@tallystick/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPayments, type PaymentNotice, type Payments } from '../src/index.ts'
import { order } from './shop.ts'

/** A database of the shop: a store for each process, and what handlers have written, which a rollback takes back. */
interface Database<Transaction> {
  store(): JournalStore<Transaction>
  write(key: string, transaction: Transaction): unknown
  written(): Promise<readonly string[]>
}

let postgres: TestDatabase
beforeAll(async () => {
  postgres = await testDatabase()
})
afterAll(() => postgres.close())

/** Its handlers have no transaction: what they wrote before they threw stays. */
async function inMemory(): Promise<Database<undefined>> {
  const store = memoryJournalStore()
  const written: string[] = []
  return { store: () => store, write: (key) => written.push(key), written: async () => written }
}

async function onSqlite(): Promise<Database<DatabaseSync>> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'shop.db')
  const shop = new DatabaseSync(file)
  shop.exec('create table written (key text)')
  shop.close()
  chmodSync(file, 0o600)
  return {
    store: () => sqliteJournalStore({ file }),
    write: (key, transaction) => transaction.prepare('insert into written values (?)').run(key),
    written: async () => {
      const reader = new DatabaseSync(file)
      const rows = reader.prepare('select key from written order by rowid').all()
      reader.close()
      return rows.map(({ key }) => String(key))
    },
  }
}

async function onPostgres(): Promise<Database<pg.PoolClient>> {
  const schema = `shop_${randomUUID().replaceAll('-', '')}`
  const address = new URL(postgres.url)
  address.searchParams.set('options', `-c search_path=${schema}`)
  const pools: pg.Pool[] = []
  const pool = () => {
    const made = new pg.Pool({ connectionString: address.href })
    pools.push(made)
    return made
  }
  const shop = pool()
  await shop.query(`create schema ${schema}`)
  await shop.query('create table written (id serial, key text)')
  onTestFinished(async () => void (await Promise.all(pools.map((one) => one.end()))))
  return {
    store: () => postgresJournalStore({ pool: pool() }),
    write: (key, transaction) => transaction.query('insert into written (key) values ($1)', [key]),
    written: async () => (await shop.query('select key from written order by id')).rows.map(({ key }) => key),
  }
}

/** A gateway, and as many processes of the shop as are opened. Callbacks come to the one that was opened last. */
async function shopOn<Transaction>(database: Database<Transaction>) {
  const opened = new Set<Payments<Transaction>>()
  const last = () => [...opened].at(-1)
  const gateway: TestGateway = await startGateway({
    socket: false,
    sendCallback: async (url) => ({ status: (await last()?.fetch(new Request(url)))?.status ?? 500 }),
  })
  const notices: PaymentNotice[] = []
  onTestFinished(async () => {
    await Promise.all([...opened].map((one) => one.close()))
    await gateway.close()
  })
  /** @param failures how often a handler throws after its write, at first */
  const open = ({ failures = 0 } = {}): Payments<Transaction> => {
    let left = failures
    const book = async (text: string, transaction: Transaction) => {
      await database.write(text, transaction)
      if (left-- > 0) throw new Error('no room')
    }
    const payments = createPayments<Transaction>({
      gateway: gateway.client(),
      database: database.store(),
      shopUrl: 'https://shop.example.com',
      onPaid: ({ payment, transaction }) => book(`${payment.key} paid`, transaction),
      onResult: ({ result, transaction }) => book(`${result.key} ${result.status}`, transaction),
      onNotice: ({ notice }) => void notices.push(notice),
      onEvent: () => {},
      journal: { clock: gateway.clock },
    })
    opened.add(payments)
    return payments
  }
  const end = async (payments: Pick<Payments, 'close'>) => {
    for (const one of opened) if (one === payments) opened.delete(one)
    await payments.close()
  }
  const settle = async (time: '1m' | '1h') => {
    await gateway.clock.advance(time)
    for (const one of opened) await one.journal.settled()
  }
  return { gateway, open, end, settle, notices, written: database.written }
}

describe.each([
  ['in memory', async () => shopOn(await inMemory()), false],
  ['on SQLite', async () => shopOn(await onSqlite()), true],
  ['on PostgreSQL', async () => shopOn(await onPostgres()), true],
] as const)('Payments %s', (_where, openShop, isDurable) => {
  test('are one order and one call of onPaid, if two processes get the press at the same moment', async () => {
    const { gateway, open, settle, written } = await openShop()
    const processes = [open(), open()]
    const pressed = await Promise.all(
      processes.flatMap((one) => [one.pay('invoice 1', order), one.pay('invoice 1', order)]),
    )
    expect(new Set(pressed.map(({ location }) => location)).size).toBe(1)
    await gateway.payOnPages(pressed[0]?.location ?? '', cards.approved)
    await settle('1m')
    const shown = await Promise.all(processes.map((one) => one.find('invoice 1')))
    expect(shown.map((one) => one?.show)).toEqual(['paid', 'paid'])
    expect([await written(), (await gateway.orders()).length]).toEqual([['invoice 1 paid'], 1])
  })

  test('are told again if a handler throws after its write, and what it wrote counts once', async () => {
    const { gateway, open, settle, written } = await openShop()
    const payments = open({ failures: 2 })
    await gateway.payOnPages((await payments.pay('invoice 2', order)).location ?? '', cards.approved)
    for (let calls = 0; calls < 2; calls++) {
      await settle('1h').catch((error) => expect(error).toMatchObject({ cause: { message: 'no room' } }))
    }
    await settle('1h')
    // In memory there is no transaction that takes a write back.
    expect(await written()).toEqual(Array(isDurable ? 1 : 3).fill('invoice 2 paid'))
    expect((await payments.find('invoice 2'))?.show).toBe('paid')
  })

  test('that are declined are results, and the next press pays', async () => {
    const { gateway, open, settle, written } = await openShop()
    const payments = open()
    for (const card of [cards.insufficientFunds, cards.approved]) {
      await gateway.payOnPages((await payments.pay('invoice 5', order)).location ?? '', card)
      await settle('1m')
    }
    expect(await written()).toEqual(['invoice 5 declined', 'invoice 5 paid'])
    expect((await payments.journal.attempts('invoice 5')).map(({ status }) => status)).toEqual(['declined', 'approved'])
  })

  test('are found out about whose reply was lost, by the process that comes after', async () => {
    const { gateway, open, end, settle, written } = await openShop()
    gateway.next('saleForm').loseReplyAfterCommit()
    const first = open()
    expect((await first.pay('invoice 3', order)).show).toBe('checking')
    if (isDurable) await end(first)
    const next = open()
    expect((await next.pay('invoice 3', order)).show).toBe('checking')
    await gateway.clock.advance('40m')
    await settle('1h')
    expect(await gateway.orders()).toHaveLength(1)
    expect((await next.find('invoice 3'))?.show).toBe('try-again')
    expect(await written()).toEqual(['invoice 3 error'])
  })

  test('are refunded once, if two processes ask at the same moment', async () => {
    const { gateway, open, settle, written, notices } = await openShop()
    const processes = [open(), open()]
    await gateway.payOnPages((await processes[0]?.pay('invoice 4', order))?.location ?? '', cards.approved)
    await settle('1m')
    const part = { payment: 'invoice 4', amount: '1.00', comment: 'a broken cup' }
    const asked = await Promise.all(processes.map((one) => one.refund('refund 1 of invoice 4', part)))
    expect(new Set(asked.map(({ intent }) => intent.intentId)).size).toBe(1)
    await settle('1m')
    expect(await written()).toEqual(['invoice 4 paid', 'refund 1 of invoice 4 approved'])
    expect(await gateway.orders()).toMatchObject([{ amount: '9.42' }])
    expect(notices).toEqual([])
  })
})
