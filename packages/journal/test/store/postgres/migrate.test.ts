import type { Migration } from '@tallystick/durable/schema'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/store/postgres/migrate.ts'
import { databaseOf } from '../../../src/store/postgres/transaction.ts'
import { first } from '../../../src/store/schema/0001-first.ts'
import { queries } from '../../../src/store/schema/tables.ts'
import { intentWith } from '../../intents.ts'
import { postgresWorld } from '../postgres-world.ts'

const { url, open, inShop } = postgresWorld()

let pool: pg.Pool
beforeEach(() => {
  pool = new pg.Pool({ connectionString: url() })
})
afterEach(() => pool.end())

const migrated = async (steps: readonly Migration[]) => (await migrate(databaseOf(pool), {}, steps)).version

/** A step that a later release could have. */
const step = (worksWith: number): Migration => ({
  version: 2,
  name: 'later',
  worksWith,
  statements: () => [sql`alter table journal_intents add column note text`.compile(queries.postgresql)],
})

const numbered = (number: number) =>
  intentWith({ intentId: `intent-${number}`, businessKey: `key-${number}`, clientOrderId: `order-${number}-a` })

describe('A step of a later release', () => {
  test('that only adds is made under load, and old and new processes go on side by side', async () => {
    const old = open()
    await old.counts()
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    const load = Promise.all(numbers.map((number) => old.insert(numbered(number))))
    expect(await migrated([first, step(1)])).toBe(1)
    expect(await load).toEqual(numbers.map(() => ({ ok: true })))
    const another = open()
    expect(await another.insert(numbered(1000))).toEqual({ ok: true })
    expect(await old.find('intent-1000')).toEqual(numbered(1000))
    expect(await inShop('select version from journal_version order by version')).toEqual([
      { version: 1 },
      { version: 2 },
    ])
  })

  test('that old processes cannot work with keeps them from starting', async () => {
    await migrated([first, step(2)])
    await expect(open().counts()).rejects.toThrow(
      'The journal has version 2, and this package knows 1: take a later one',
    )
  })

  test('does not hold up writers behind a long reader', async () => {
    const store = open()
    await store.insert(numbered(1))
    const reader = await pool.connect()
    await reader.query('begin; select * from journal_intents')
    const stepped = migrated([first, step(1)])
    await expect.poll(() => inShop('select 1 from pg_locks where not granted'), { timeout: 10_000 }).toHaveLength(1)
    // Behind the step for as long as it waits, and no longer.
    expect(await store.insert(numbered(2))).toEqual({ ok: true })
    await reader.query('commit')
    reader.release()
    expect(await stepped).toBe(1)
  })

  test('that fails leaves nothing behind', async () => {
    await migrate(databaseOf(pool))
    const broken: Migration = {
      ...step(1),
      statements: (dialect) => [
        ...step(1).statements(dialect),
        sql`alter table nowhere add column note text`.compile(queries.postgresql),
      ],
    }
    await expect(migrated([first, broken])).rejects.toThrow('nowhere')
    expect(await migrated([first, step(1)])).toBe(1)
  })
})
