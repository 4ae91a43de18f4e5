import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DialectName } from '@tallystick/durable/schema'
import { createPool } from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { mysql2JournalStore } from '../../../src/mysql2.ts'
import { fileNameOf, MIGRATIONS, sqlOf } from '../../../src/store/schema/migrations.ts'
import { sqliteJournalStore } from '../../../src/store/sqlite/sqlite-journal-store.ts'
import { describeMariaDb, mariaDb } from '../mariadb.ts'
import { postgresWorld } from '../postgres-world.ts'

const folder = join(import.meta.dirname, '../../../sql')
const filesOf = (dialect: DialectName) =>
  MIGRATIONS.map((migration) => readFileSync(join(folder, dialect, fileNameOf(migration)), 'utf8'))

describe.each(['sqlite', 'postgresql', 'mysql'] as const)('The SQL files for %s', (dialect) => {
  test('are those of the migrations (`tallystick-journal sql --dialect ...` prints them)', () => {
    expect(readdirSync(join(folder, dialect))).toEqual(MIGRATIONS.map(fileNameOf))
    expect(filesOf(dialect)).toEqual(MIGRATIONS.map((migration) => sqlOf(migration, dialect)))
  })
})

test('The SQL files for SQLite make what the store makes', async () => {
  const place = mkdtempSync(join(tmpdir(), 'journal-schema-'))
  const byFiles = new DatabaseSync(join(place, 'files.db'))
  for (const file of filesOf('sqlite')) byFiles.exec(file)
  await sqliteJournalStore({ file: join(place, 'store.db') }).close()
  const byStore = new DatabaseSync(join(place, 'store.db'))
  const made = (database: DatabaseSync) => [
    database.prepare('select type, name, tbl_name, sql from sqlite_schema order by name').all(),
    database.prepare('select version, name, works_with from journal_version').all(),
  ]
  expect(made(byFiles)).toEqual(made(byStore))
  expect(byFiles.prepare('select max(version) as version from journal_version').get()).toEqual({ version: 1 })
  byFiles.close()
  byStore.close()
  rmSync(place, { recursive: true })
})

describe('The SQL files for PostgreSQL', () => {
  const { open, inShop, wipe } = postgresWorld()

  /** Everything that the server knows about the tables of this test. */
  async function made() {
    return [
      await inShop(`select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
        where table_schema = current_schema() order by 1, 2`),
      await inShop(`select tablename, indexname, replace(indexdef, current_schema() || '.', '') as definition
        from pg_indexes where schemaname = current_schema() order by 2`),
      await inShop(`select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as definition
        from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 2`),
      await inShop('select version, name, works_with from journal_version'),
    ]
  }

  test('run, and make what the store makes', async () => {
    for (const file of filesOf('postgresql')) await inShop(file)
    expect(await open().counts()).toEqual({})
    const byFiles = await made()
    expect(byFiles.at(-1)).toEqual([{ version: 1, name: 'first', works_with: 1 }])
    await wipe()
    await open().counts()
    expect(await made()).toEqual(byFiles)
  })
})

describeMariaDb('The SQL files for MySQL', () => {
  const { fresh, runIn } = mariaDb()

  /** Everything that the server knows about the tables. */
  const made = (url: string) =>
    Promise.all(
      [
        `select table_name, column_name, column_type, collation_name, is_nullable, column_default, generation_expression
          from information_schema.columns where table_schema = database() order by 1, 2`,
        `select table_name, index_name, non_unique, seq_in_index, column_name
          from information_schema.statistics where table_schema = database() order by 1, 2, 4`,
        `select table_name, engine from information_schema.tables where table_schema = database() order by 1`,
        `select routine_name from information_schema.routines where routine_schema = database()`,
        'select version, name, works_with from journal_version',
      ].map((query) => runIn(url, query)),
    )

  test('run, and make what the store makes', async () => {
    const [byFiles, byStore] = [await fresh(), await fresh()]
    for (const file of filesOf('mysql')) await runIn(byFiles, file)
    const pool = createPool({ uri: byStore })
    await mysql2JournalStore(pool).counts()
    await pool.end()
    expect(await made(byFiles)).toEqual(await made(byStore))
    expect((await made(byFiles)).at(-1)).toEqual([{ version: 1, name: 'first', works_with: 1 }])
  })
})
