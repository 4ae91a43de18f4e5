import { symlinkSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { run } from '../../src/cli/run.ts'
import { sqliteJournalStore } from '../../src/index.ts'
import { postgresJournalStore } from '../../src/postgres.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { type Answer, rebill, replied, shopProcess } from '../shop-process.ts'
import { runIn } from './postgres-schema.ts'
import { postgresWorld } from './postgres-world.ts'

const inFolder = ownFolder()
const TABLES = ['intents', 'outcomes', 'orphan_orders', 'gateway_answers', 'version'].map((name) => `journal_${name}`)
/** As `drizzle-kit push` does with tables that its schema does not name. */
const dropAll = (schema = '') => TABLES.map((table) => `drop table ${schema}${table};`).join(' ')
const GONE = /The tables of the journal in .* are gone, though they were there/

describe('A journal in a SQLite file', () => {
  test('[F-A2] whose tables are gone stops and says so, and begins anew only if it is told to', async () => {
    const file = inFolder('shop.db')
    const store = sqliteJournalStore({ file })
    await store.insert(intentWith())
    const shop = new DatabaseSync(file)
    shop.exec(dropAll())
    // While it runs, and at its next start.
    await expect(store.insert(intentWith({ intentId: 'intent-2' }))).rejects.toThrow(GONE)
    await expect(store.attemptsOf('key-1')).rejects.toThrow(GONE)
    await store.close()
    expect(() => sqliteJournalStore({ file })).toThrow(GONE)
    await expect(run(readArguments(['migrate', '--file', file]))).rejects.toThrow(GONE)
    expect(shop.prepare("select count(*) as n from sqlite_schema where name like 'journal%'").get()).toEqual({ n: 0 })
    shop.close()
    expect(await run(readArguments(['migrate', '--file', file, '--anew']))).toContain('version 0 to 1')
    await sqliteJournalStore({ file }).close()
  })

  test('prepares in its own file alone, though the transaction is of a file that has the tables of another journal', async () => {
    const store = sqliteJournalStore({ file: inFolder('shop.db') })
    await sqliteJournalStore({ file: inFolder('other.db') }).close()
    symlinkSync(inFolder('shop.db'), inFolder('link.db'))
    const [other, own, link] = ['other.db', 'shop.db', 'link.db'].map((name) => new DatabaseSync(inFolder(name)))
    const memory = new DatabaseSync(':memory:')
    for (const wrong of [other, memory]) {
      await expect(store.insert(intentWith(), wrong)).rejects.toThrow(
        /but the journal is in .*shop\.db: give one of that/,
      )
    }
    expect(await store.insert(intentWith(), own)).toEqual({ ok: true })
    expect(await store.ofOrder('order-a', link)).toHaveLength(1)
    expect(other?.prepare('select * from journal_intents').all()).toEqual([])
    for (const database of [other, own, link, memory]) database?.close()
    await store.close()
  })

  test('leaves the application_id of a shop as it is', async () => {
    const file = inFolder('shop.db')
    const shop = new DatabaseSync(file)
    shop.exec('pragma application_id = 7')
    await sqliteJournalStore({ file }).close()
    expect(shop.prepare('pragma application_id').get()).toEqual({ application_id: 7 })
    shop.close()
  })

  test('of which one table is gone sends nothing', async () => {
    const file = inFolder('shop.db')
    const store = sqliteJournalStore({ file })
    new DatabaseSync(file).exec('drop table journal_intents')
    const sent: string[] = []
    const answer: Answer = async (operation) => {
      sent.push(operation)
      return replied({ type: 'async-response', 'paynet-order-id': '9' })
    }
    const { journal } = shopProcess({ store, clock: handClock(), answer })
    const pay = journal.pay({ profile: 'sub-1', period: '7' }, 'makeRebill', rebill)
    await expect(pay).rejects.toThrow(GONE)
    expect(sent).toEqual([])
    await journal.close()
  })
})

describe('A journal in PostgreSQL', () => {
  const { url, open, inShop } = postgresWorld()
  const own = (name: string) => `${name} ${process.pid} ${Math.trunc(performance.now())}`

  test('[F-A2] whose tables are gone stops and says so, and begins anew only if it is told to', async () => {
    const store = open()
    await store.insert(intentWith())
    await inShop(dropAll())
    await expect(store.insert(intentWith({ intentId: 'intent-2' }))).rejects.toThrow(GONE)
    await expect(open().counts()).rejects.toThrow(GONE)
    await expect(run(readArguments(['migrate', '--store', url()]))).rejects.toThrow(GONE)
    expect(
      await inShop("select relname from pg_class where relname = 'journal_intents' and pg_table_is_visible(oid)"),
    ).toEqual([])
    expect(await run(readArguments(['migrate', '--store', url(), '--anew']))).toContain('version 0 to 1')
    expect(await open().counts()).toEqual({})
  })

  test('[F-A2] keeps its tables in a schema of its own, whatever it is called, and makes it', async () => {
    const schema = own('Payments "of" the shop; drop')
    const pool = new pg.Pool({ connectionString: url(), max: 2 })
    const store = postgresJournalStore({ pool, schema })
    await store.insert(intentWith())
    expect(
      await inShop("select relname from pg_class where relname = 'journal_intents' and pg_table_is_visible(oid)"),
    ).toEqual([])
    // In the merchant's transaction, whose search_path is the shop's.
    const client = await pool.connect()
    await client.query('begin')
    const second = { intentId: 'intent-2', businessKey: 'key-2', clientOrderId: 'order-b' }
    expect(await store.insert(intentWith(second), client)).toEqual({ ok: true })
    await client.query('commit')
    client.release()
    expect(await postgresJournalStore({ connectionString: url(), schema }).counts()).toEqual({
      [intentWith().state]: 2,
    })
    expect(await run(readArguments(['report', '--store', url(), '--schema', schema]))).toContain(
      `${intentWith().state} 2`,
    )
    // The shop's tool drops what is in its own schema.
    await inShop('create table journal_intents (mine text); drop table journal_intents')
    expect(await store.counts()).toEqual({ [intentWith().state]: 2 })
    await inShop(`drop schema "${schema.replaceAll('"', '""')}" cascade`)
    await expect(store.counts()).rejects.toThrow(GONE)
    await pool.end()
  })

  test.each([
    ['of a pool with room for one more connection', 2, 'pool'],
    ['of a full pool', 1, 'pool'],
    ['of another pool', 2, 'elsewhere'],
  ] as const)(
    '[F-A2] prepares in its own schema, though the search_path of the transaction has the tables of another journal: on a client %s',
    async (_which, max, where) => {
      await open().counts()
      const schema = own('tenant_5')
      await run(readArguments(['migrate', '--store', url(), '--schema', schema]))
      const pool = new pg.Pool({ connectionString: url(), max, connectionTimeoutMillis: 2000 })
      const store = where === 'pool' ? postgresJournalStore({ pool }) : open()
      const client = await pool.connect()
      await client.query(`begin; ${where === 'pool' ? 'set local' : 'set'} search_path = "${schema}"`)
      expect(await store.insert(intentWith(), client)).toEqual({ ok: true })
      expect((await client.query("select current_setting('search_path') as path")).rows).toEqual([
        { path: `"${schema}"` },
      ])
      await client.query('commit')
      client.release()
      expect(await store.find('intent-1')).toEqual(intentWith())
      expect(await inShop(`select * from "${schema}".journal_intents`)).toEqual([])
      await pool.end()
    },
  )

  test('[F-A2] refuses a search_path that names a schema which is not there, and does not take the next one', async () => {
    const present = new URL(url()).searchParams.get('options')?.split('=')[1] ?? ''
    const withPath = (path: string) => {
      const address = new URL(url())
      address.searchParams.set('options', `-c search_path=${path}`)
      return address.href
    }
    for (const path of ['paymnts', `paymnts,${present}`, `"$user",paymnts,${present}`]) {
      await expect(open(withPath(path)).counts()).rejects.toThrow('there is no schema paymnts')
    }
    for (const path of [present, `"$user",${present}`, `${present},extensions`]) {
      expect(await open(withPath(path)).counts()).toEqual({})
    }
    // Also if tables are there to fall back to.
    await expect(open(withPath(`paymnts,${present}`)).counts()).rejects.toThrow('there is no schema paymnts')
    await runIn(url(), 'select 1')
  })

  test.each([[''], [' payments'], ['pg_journal'], ['a'.repeat(64)], [5]])('refuses %j as a schema', (schema) => {
    expect(() => postgresJournalStore({ connectionString: url(), schema: schema as string })).toThrow('schema must be')
  })
})
