import pg, { type PoolClient } from 'pg'
import { describe, expect, test } from 'vitest'
import { createJournal, type JournalInput } from '../../src/index.ts'
import { postgresJournalStore } from '../../src/postgres.ts'
import { HandlerTimeoutError } from '../../src/runtime/concurrency.ts'
import { UNIQUE_KEYS } from '../../src/store/postgres/transaction.ts'
import { decidingClient } from '../deciding-client.ts'
import { intentWith } from '../intents.ts'
import { postgresWorld, withOutcome } from './postgres-world.ts'

const { url, open, inShop, shopClient } = postgresWorld()

describe('The journal in the PostgreSQL database of the shop', () => {
  test('writes an intent within the transaction of an order, or not at all', async () => {
    const store = open()
    await store.counts()
    const shop = await shopClient()
    await shop.query('create table orders (id text)')
    await shop.query("begin; insert into orders values ('77')")
    await store.insert(intentWith(), shop)
    await shop.query('rollback')
    expect(await store.find('intent-1')).toBeUndefined()
    await shop.query("begin; insert into orders values ('77')")
    expect(await store.insert(intentWith(), shop)).toEqual({ ok: true })
    expect(await store.find('intent-1')).toBeUndefined()
    await shop.query('commit')
    expect(await store.find('intent-1')).toEqual(intentWith())
  })

  test('leaves that transaction usable if the intent is in conflict with another', async () => {
    const store = open()
    await store.insert(intentWith())
    const shop = await shopClient()
    await shop.query('create table orders (id text)')
    await shop.query('begin')
    const second = intentWith({ intentId: '2', attempt: 2, clientOrderId: 'order-b' })
    expect(await store.insert(second, shop)).toEqual({ ok: false, conflict: 'business-key' })
    await shop.query("insert into orders values ('78')")
    expect((await shop.query('commit')).command).toBe('COMMIT')
  })

  test.each([
    ['sale', { amount: '10.42', currency: 'USD' }],
    ['capture', { clientOrderId: 'order-a', orderId: '1' }],
  ] as const)('prepares a %s on the connection of the shop, if that is its last one', async (operation, input) => {
    await open().counts()
    const pool = new pg.Pool({ connectionString: url(), max: 1, connectionTimeoutMillis: 500 })
    const journal = createJournal({ client: decidingClient(), store: postgresJournalStore({ pool }) })
    const shop = await pool.connect()
    await shop.query('begin')
    const prepared = journal.prepare('invoice 77', operation, input as JournalInput<typeof operation>, shop)
    await expect(prepared).resolves.toMatchObject({ ok: true })
    await shop.query('commit')
    shop.release()
    expect(await journal.attempts('invoice 77')).toMatchObject([{ operation, state: 'PREPARED' }])
    await journal.close()
    await pool.end()
  })

  test('takes the connection from a handler that did not end in time, with what it wrote', async () => {
    await inShop('create table paid (key text)')
    const store = open()
    const outcome = await withOutcome(store)
    const late = Promise.withResolvers<void>()
    const wrote = Promise.withResolvers<unknown>()
    const handing = store.deliver(outcome, 1, async (transaction) => {
      await transaction.query("insert into paid values ('first')")
      void late.promise
        .then(() => transaction.query("insert into paid values ('late')"))
        .then(wrote.resolve, wrote.reject)
      throw new HandlerTimeoutError('The handler', 1, late.promise)
    })
    await expect(handing).rejects.toThrow('did not end within 1 ms')
    await store.putOff(outcome, 2)
    late.resolve()
    await expect(wrote.promise).rejects.toThrow(/closed|ended|not queryable/)
    expect(await inShop('select key from paid')).toEqual([])
    // The server lets go of it once it has seen that the connection has ended.
    await expect.poll(() => store.deliver(outcome, 2, () => {})).toBe('done')
  })

  test('rolls back what a handler wrote if it throws, and commits it with the mark if it does not', async () => {
    await inShop('create table paid (key text)')
    const store = open()
    const outcome = await withOutcome(store)
    const write = async (transaction: PoolClient) => {
      await transaction.query('insert into paid values ($1)', [outcome.key])
    }
    const failing = store.deliver(outcome, 1, async (transaction) => {
      await write(transaction)
      throw new Error('the mail server is away')
    })
    await expect(failing).rejects.toThrow('mail server')
    expect(await inShop('select key from paid')).toEqual([])
    expect(await store.deliver(outcome, 1, write)).toBe('done')
    expect(await inShop('select key from paid')).toEqual([{ key: 'order-a:1' }])
    expect(await store.deliver(outcome, 1, write)).toBe('not-mine')
  })

  test('does not wait for locks that the server still holds for a handler that was given up', async () => {
    const store = open()
    const outcome = await withOutcome(store)
    const shop = await shopClient()
    // A statement of that handler that is still running would hold this lock.
    await shop.query('begin; select number from journal_outcomes for update')
    await store.putOff(outcome, 5000)
    expect(await store.openOutcomes(1, 10)).toMatchObject([{ failures: 0 }])
    await shop.query('rollback')
    await store.putOff(outcome, 5000)
    expect(await store.openOutcomes(1, 10)).toEqual([])
  })

  test.each([
    [1, 1],
    [4, 1],
    [6, 2],
    [10, 4],
    [50, 4],
  ])('leaves half of a pool of %i for queries of its handlers: %i at once', (max, maxDeliveries) => {
    expect(postgresJournalStore({ pool: new pg.Pool({ max }) })).toMatchObject({ maxDeliveries })
  })

  test('keeps the types of the columns that the shop reads', async () => {
    const store = open()
    let rows: readonly object[] = []
    await store.deliver(await withOutcome(store), 1, async (transaction) => {
      rows = (await transaction.query("select 5::int8 as large, '2030-01-01Z'::timestamptz as day")).rows
    })
    expect(rows).toEqual([{ large: '5', day: new Date(Date.UTC(2030, 0, 1)) }])
  })

  test('tells a handler that hides a failed statement that nothing was written', async () => {
    const store = open()
    const outcome = await withOutcome(store)
    const hiding = store.deliver(outcome, 1, async (transaction) => {
      await transaction.query('select * from nowhere').catch(() => {})
    })
    await expect(hiding).rejects.toThrow('rolled back')
    expect(await store.countOpenOutcomes()).toBe(1)
  })

  test.each([['commit'], ['rollback']])('tells a handler that it must not %s', async (statement) => {
    const store = open()
    const ending = store.deliver(await withOutcome(store), 1, async (transaction) => {
      await transaction.query(statement)
    })
    await expect(ending).rejects.toThrow('must not end the transaction')
  })

  test.each([['paid'], ['journal_entries']])(
    'does not repeat a handler that violates a unique key of the table %s',
    async (table) => {
      await inShop(`create table ${table} (key text primary key); insert into ${table} values ('order-a:1')`)
      const store = open()
      const outcome = await withOutcome(store)
      let runs = 0
      const writing = store.deliver(outcome, 1, async (transaction) => {
        runs++
        await transaction.query(`insert into ${table} values ($1)`, [outcome.key])
      })
      await expect(writing).rejects.toThrow(`${table}_pkey`)
      expect(runs).toBe(1)
    },
  )

  test('knows its own unique keys by their names', async () => {
    await open().counts()
    const keys = await inShop(`select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and relnamespace = current_schema()::regnamespace`)
    expect(new Set(keys.map((key) => ('name' in key ? key.name : undefined)))).toEqual(UNIQUE_KEYS)
  })
})
