import { createPool, type Pool, type PoolOptions } from 'mysql2/promise'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mysql2JournalStore } from '../../src/mysql2.ts'
import { intentWith, withOutcomes } from '../intents.ts'
import { describeMariaDb, mariaDb } from './mariadb.ts'

describeMariaDb('The journal on MariaDB', () => {
  const { fresh, runIn } = mariaDb()
  let url = ''
  const opened: Pool[] = []
  const poolWith = (options: PoolOptions = {}): Pool => {
    const pool = createPool({ uri: url, ...options })
    opened.push(pool)
    return pool
  }
  const open = (options?: PoolOptions) => mysql2JournalStore(poolWith(options))
  const run = (statements: string) => runIn(url, statements)
  beforeEach(async () => {
    url = await fresh()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((pool) => pool.end()))
  })

  test('tells keys apart that differ in case, accents, blanks at the end or characters beyond the first plane', async () => {
    const store = open()
    const keys = [
      'invoice 7',
      'INVOICE 7',
      'invoice 7 ',
      'invoicé 7',
      'invoice 7\0',
      '🧾 7',
      '🧶 7',
      'straße',
      'strasse',
    ]
    for (const [at, businessKey] of keys.entries()) {
      const intent = intentWith({ intentId: `${at}`, businessKey, clientOrderId: `order-${at}` })
      expect(await store.insert(intent)).toEqual({ ok: true })
    }
    expect(await Promise.all(keys.map((key) => store.attemptsOf(key)))).toMatchObject(
      keys.map((businessKey, at) => [{ businessKey, intentId: `${at}` }]),
    )
  })

  test.each(['FOUND_ROWS', '-FOUND_ROWS'])('admits one of equal intents with the flag %s', async (flag) => {
    const [one, other] = [open({ flags: [flag] }), open({ flags: [flag] })]
    const inserted = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? one : other).insert(intentWith({ intentId: `${at}`, clientOrderId: `order-${at}` })),
      ),
    )
    expect(inserted.filter(({ ok }) => ok)).toHaveLength(1)
    expect(inserted.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 19 }, () => ({ ok: false, conflict: 'business-key' })),
    )
  })

  test("sees what stands in the way although the shop's transaction has begun before it was written", async () => {
    const store = open()
    await store.counts()
    const connection = await poolWith().getConnection()
    await connection.query('set session transaction isolation level repeatable read')
    await connection.beginTransaction()
    await connection.query('select * from journal_intents')
    await store.insert(intentWith())
    expect(await store.insert(intentWith({ intentId: '2', clientOrderId: 'order-b' }), connection)).toEqual({
      ok: false,
      conflict: 'business-key',
    })
    expect(await store.ofOrder('order-a', connection)).toMatchObject([{ intentId: 'intent-1' }])
    await connection.rollback()
    connection.release()
  })

  test('refuses a text that the table would cut, whatever the sql_mode', async () => {
    const store = mysql2JournalStore(poolWith())
    await run("set global sql_mode = ''")
    const long = intentWith({ clientOrderId: 'x'.repeat(256) })
    await expect(store.insert(long)).rejects.toThrow('client_order_id has 256 characters: MySQL keeps 255 of it')
    await run('set global sql_mode = default')
  })

  test.each([
    [{ charset: 'latin1' }, "set its charset to 'utf8mb4'"],
    [{ charset: 'UTF8_GENERAL_CI' }, "set its charset to 'utf8mb4'"],
  ])('refuses a connection with %o', async (options, message) => {
    await expect(open(options).counts()).rejects.toThrow(message)
  })

  test('refuses a connection that escapes nothing by backslashes', async () => {
    await run("set global sql_mode = 'NO_BACKSLASH_ESCAPES'")
    await expect(open().counts()).rejects.toThrow('Take that mode out')
    await run('set global sql_mode = default')
  })

  test('names what is missing if the address names no database, and takes the one by option', async () => {
    const address = new URL(url)
    address.pathname = ''
    const pool = poolWith({ uri: address.href })
    await expect(mysql2JournalStore(pool).counts()).rejects.toThrow("schema: 'payments'")
    expect(await mysql2JournalStore(pool, { schema: 'payments' }).counts()).toEqual({})
    await run('drop database payments')
  })

  test('makes the tables once, if many processes begin at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => open().counts()))
    expect(await run('select version from journal_version')).toEqual([{ version: 1 }])
  })

  test('goes on making the tables after a process that ended in the midst of it', async () => {
    await open().counts()
    await run('drop table journal_orphan_orders; delete from journal_version; drop procedure journal_tables_were_made')
    expect(await open().counts()).toEqual({})
    expect(await open().orphans(10)).toEqual([])
  })

  test('says that tables are gone that were there', async () => {
    const store = open()
    await store.insert(intentWith())
    await run(
      'drop table journal_intents, journal_outcomes, journal_orphan_orders, journal_gateway_answers, journal_version',
    )
    await expect(store.find('intent-1')).rejects.toThrow('are gone, though they were there')
    await expect(open().counts()).rejects.toThrow('are gone, though they were there')
  })

  test('works with a user who may make no tables and no procedures once they are there', async () => {
    await open().counts()
    const { host, pathname } = new URL(url)
    await run(
      `create user if not exists shop identified by 'x'; grant select, insert, update, delete on ${pathname.slice(1)}.* to shop`,
    )
    const store = mysql2JournalStore(poolWith({ uri: `mysql://shop:x@${host}${pathname}` }))
    expect(await store.insert(intentWith())).toEqual({ ok: true })
  })

  test('makes the tables for a user who may make no procedures', async () => {
    const { host, pathname } = new URL(url)
    await run(
      `create user if not exists maker identified by 'x'; grant select, insert, update, delete, create, index on ${pathname.slice(1)}.* to maker`,
    )
    const store = mysql2JournalStore(poolWith({ uri: `mysql://maker:x@${host}${pathname}` }))
    expect(await store.insert(intentWith())).toEqual({ ok: true })
  })

  test('leaves a connection as it was, however the handler ends', async () => {
    const pool = poolWith({ connectionLimit: 1 })
    const store = mysql2JournalStore(pool)
    const settings = 'select @@autocommit as a, @@wait_timeout as w, @@transaction_isolation as i'
    const [before] = await pool.query(settings.replace('transaction_isolation', 'tx_isolation'))
    const [outcome] = await withOutcomes(store, 'order-a')
    if (outcome === undefined) throw new Error('there is no outcome')
    const failing = store.deliver(outcome, 1, () => {
      throw new Error('no stock')
    })
    await expect(failing).rejects.toThrow('no stock')
    const ending = store.deliver(outcome, 2, async (connection) => void (await connection.query('commit')))
    await expect(ending).rejects.toThrow('must not end the transaction')
    const [after] = await pool.query(settings.replace('transaction_isolation', 'tx_isolation'))
    expect(after).toEqual(before)
    await pool.query('create table shop (n int)')
    await pool.query('insert into shop values (1)')
    expect(await run('select n from shop')).toEqual([{ n: 1 }])
  })
})
