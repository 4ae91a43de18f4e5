import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DialectName } from '@tallystick/durable/schema'
import { describe, expect, test } from 'vitest'
import { fileNameOf, MIGRATIONS, sqlOf } from '../../../src/store/schema/migrations.ts'
import { sqliteJournalStore } from '../../../src/store/sqlite/sqlite-journal-store.ts'
import { postgresWorld } from '../postgres-world.ts'

const folder = join(import.meta.dirname, '../../../sql')
const filesOf = (dialect: DialectName) =>
  MIGRATIONS.map((migration) => readFileSync(join(folder, dialect, fileNameOf(migration)), 'utf8'))

describe.each(['sqlite', 'postgresql'] as const)('The SQL files for %s', (dialect) => {
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
