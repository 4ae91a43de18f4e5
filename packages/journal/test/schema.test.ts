import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { fileNameOf, MIGRATIONS, sqlOf } from '../src/schema/migrations.ts'

const folder = join(import.meta.dirname, '..', 'sql')

describe.each(['sqlite', 'postgresql'] as const)('The SQL files for %s', (dialect) => {
  test('are those of the migrations (`tallystick-journal sql --dialect ...` prints them)', () => {
    expect(readdirSync(join(folder, dialect))).toEqual(MIGRATIONS.map(fileNameOf))
    for (const migration of MIGRATIONS) {
      expect(readFileSync(join(folder, dialect, fileNameOf(migration)), 'utf8')).toBe(sqlOf(migration, dialect))
    }
  })
})

test('The SQL files for SQLite run, and say which version they make', () => {
  const database = new DatabaseSync(':memory:')
  for (const migration of MIGRATIONS) {
    database.exec(readFileSync(join(folder, 'sqlite', fileNameOf(migration)), 'utf8'))
  }
  expect(database.prepare('select max(version) as version from journal_version').get()).toEqual({ version: 1 })
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  expect(tables.map(({ name }) => name)).toEqual([
    'journal_gateway_answers',
    'journal_intents',
    'journal_outcomes',
    'journal_stray_callbacks',
    'journal_version',
  ])
  database.close()
})
