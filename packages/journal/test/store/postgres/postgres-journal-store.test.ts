import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { postgresJournalStore } from '../../../src/postgres.ts'
import { intentWith } from '../../intents.ts'
import { runIn } from '../postgres-schema.ts'
import { postgresWorld, withOutcome } from '../postgres-world.ts'
import { journalStoreSuite } from '../suite.ts'

const { url, open, inShop } = postgresWorld()

const EVERYTHING = ['outcomes', 'intents', 'orphan_orders', 'gateway_answers']
  .map((name) => `delete from journal_${name}`)
  .join(';')

describe('The journal in PostgreSQL', () => {
  describe('does what every store does:', () => {
    // In one schema, which is emptied: to make the tables takes longer than a test.
    let connectionString: string
    beforeEach(() => {
      connectionString ??= url()
    })
    afterEach(() => runIn(connectionString, EVERYTHING))
    journalStoreSuite(() => postgresJournalStore({ connectionString }))
  })

  test('outlives its process, and is opened again', async () => {
    const store = postgresJournalStore({ connectionString: url() })
    await store.insert(intentWith())
    await store.close()
    expect([open().durable, await open().find('intent-1')]).toEqual([true, intentWith()])
  })

  test('is closed once, even if that is asked for again, or twice at once', async () => {
    const store = postgresJournalStore({ connectionString: url() })
    await store.counts()
    await Promise.all([store.close(), store.close()])
    await expect(store.close()).resolves.toBeUndefined()
  })

  test('says what is wrong with its options', () => {
    const idle = { connect: () => {}, query: () => {}, on: () => {} }
    const wrong = (options: unknown) => () => postgresJournalStore(options as { connectionString: string })
    expect(wrong({})).toThrow('postgresJournalStore: give a connectionString or a pool')
    expect(wrong({ connectionstring: url() })).toThrow(
      'postgresJournalStore: there is no option connectionstring; did you mean connectionString?',
    )
    expect(wrong({ connectionString: 5432 })).toThrow('connectionString must be a text, such as postgres://')
    expect(wrong({ pool: url() })).toThrow('postgresJournalStore: pool must be a pool of pg, with connect(), query()')
    expect(wrong({ pool: idle, connectionString: url() })).toThrow('exclude each other')
  })

  test('is refused when a later version wrote it', async () => {
    await open().counts()
    await inShop("insert into journal_version values (99, 'later', 99, 0)")
    await expect(open().counts()).rejects.toThrow('version 99')
  })

  test('needs no right to make tables once they are there', async () => {
    await open().insert(intentWith())
    const role = `teller_${process.pid}`
    const { pathname, searchParams } = new URL(url())
    const schema = searchParams.get('options')?.split('=')[1]
    await inShop(`create role ${role} login password 'p'; grant connect on database ${pathname.slice(1)} to ${role};
      grant usage on schema ${schema} to ${role}; grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
    const asTeller = new URL(url())
    asTeller.username = role
    asTeller.password = 'p'
    expect(await open(asTeller.href).wake('order-a', 5)).toBe(1)
    await inShop(`drop owned by ${role}; drop role ${role}`)
  })

  describe('prepares its statements, and goes on', () => {
    const prepared = 'select count(*)::int as n from pg_prepared_statements'

    async function shop() {
      const pool = new pg.Pool({ connectionString: url(), max: 1 })
      onTestFinished(() => pool.end())
      const store = postgresJournalStore({ pool })
      const outcome = await withOutcome(store)
      await store.insert(intentWith({ intentId: '1', businessKey: 'invoice 1', clientOrderId: '1' }))
      await store.find('1')
      expect((await pool.query(prepared)).rows).not.toEqual([{ n: 0 }])
      const use = async () => {
        const found = await store.find('1')
        const inserted = await store.insert(intentWith({ intentId: '2', businessKey: '2', clientOrderId: '2' }))
        return [found, inserted, await store.deliver(outcome, 1, () => {})]
      }
      const right = [expect.objectContaining({ businessKey: 'invoice 1' }), { ok: true }, 'done']
      return { pool, use, right }
    }

    test('without, if a pooler has lost them', async () => {
      const { pool, use, right } = await shop()
      await pool.query('deallocate all')
      expect(await use()).toEqual(right)
      expect((await pool.query(prepared)).rows).toEqual([{ n: 0 }])
    })

    test('if another process has given a table another column', async () => {
      const { use, right } = await shop()
      await inShop('alter table journal_intents add column later text')
      expect(await use()).toEqual(right)
    })
  })

  test('waits for the disk even if the server would not', async () => {
    const hasty = new URL(url())
    hasty.searchParams.set('options', `${hasty.searchParams.get('options')} -c synchronous_commit=off`)
    const store = open(hasty.href)
    const outcome = await withOutcome(store)
    let setting: unknown
    await store.deliver(outcome, 1, async (transaction) => {
      const { rows } = await transaction.query('show synchronous_commit')
      setting = rows[0]
    })
    expect(setting).toEqual({ synchronous_commit: 'on' })
  })

  test('uses the pool of the shop, and leaves it open', async () => {
    const pool = new pg.Pool({ connectionString: url() })
    const store = postgresJournalStore({ pool })
    await store.insert(intentWith())
    await store.close()
    expect((await pool.query('select intent_id from journal_intents')).rows).toEqual([{ intent_id: 'intent-1' }])
    await pool.end()
  })

  test('does not wait for a handler when the clock was set back: its outcome is put off again, or done', async () => {
    const store = open()
    const outcome = await withOutcome(store)
    await store.putOff(outcome, 5000)
    const setBack = { now: 1000, latest: 1003, leaseMs: 8, putOffMs: 300 }
    await store.deliver(outcome, 1, async () => await store.pullBack(setBack))
    expect(await store.countOpenOutcomes()).toBe(0)
  })
})
