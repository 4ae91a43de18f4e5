import { spawnSync } from 'node:child_process'
import { promises as fs, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { describe, expect, test } from 'vitest'
import { type MigrationRequest, readArguments } from '../../src/cli/arguments.ts'
import { writeMigration } from '../../src/cli/migration.ts'
import { MIGRATIONS } from '../../src/store/schema/migrations.ts'
import { queries } from '../../src/store/schema/tables.ts'
import { sqliteJournalStore } from '../../src/store/sqlite/sqlite-journal-store.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'

const inFolder = ownFolder()
const NOW = Date.UTC(2030, 11, 31, 23, 59, 58)
const workplace = () => ({ folder: inFolder(), now: NOW })

function requestOf(...args: readonly string[]): MigrationRequest {
  return readArguments(['migration', ...args]) as MigrationRequest
}

/** As Kysely knows databases: those of better-sqlite3. */
function forKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = database.prepare(text)
      const values = (list: readonly unknown[]) => list as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (list) => statement.all(...values(list)),
        run: (list) => statement.run(...values(list)),
        iterate: (list) => statement.iterate(...values(list)),
      }
    },
  }
}

const later = {
  version: 2,
  name: 'notes',
  worksWith: 1,
  statements: () => [sql`alter table journal_intents add column note text`.compile(queries.postgresql)],
}

describe('A migration of the shop', () => {
  test('runs as it is on SQLite, for a store that makes nothing', async () => {
    const request = requestOf('--for', 'prisma', '--dialect', 'sqlite', '--out', 'migrations')
    writeMigration(request, workplace())
    const database = new DatabaseSync(inFolder('shop.db'))
    database.exec(readFileSync(inFolder('migrations', '20301231235958_tallystick_journal_v1', 'migration.sql'), 'utf8'))
    const made = database.prepare('select version, made_at from journal_version').all()
    const store = sqliteJournalStore({ file: inFolder('shop.db') })
    await store.insert(intentWith())
    expect(await store.find('intent-1')).toEqual(intentWith())
    await store.close()
    expect(database.prepare('select version, made_at from journal_version').all()).toEqual(made)
    database.close()
  })

  test('on SQLite is taken back while nothing is recorded, and not later', async () => {
    symlinkSync(join(import.meta.dirname, '../../node_modules'), inFolder('node_modules'))
    writeMigration(requestOf('--for', 'kysely', '--dialect', 'sqlite', '--out', 'migrations'), workplace())
    const database = new DatabaseSync(inFolder('shop.db'))
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: forKysely(database) }) })
    const provider = new FileMigrationProvider({ fs, path, migrationFolder: inFolder('migrations') })
    const migrator = new Migrator({ db, provider })
    const tables = () => database.prepare("select name from sqlite_schema where name like 'journal_%'").all()
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    expect(tables()).not.toEqual([])
    expect((await migrator.migrateDown()).error).toBeUndefined()
    expect(tables()).toEqual([])
    await migrator.migrateToLatest()
    const store = sqliteJournalStore({ file: inFolder('shop.db') })
    await store.insert(intentWith())
    await store.close()
    expect((await migrator.migrateDown()).error).toMatchObject({ message: expect.stringContaining('what was paid') })
    expect(database.prepare('select intent_id from journal_intents').all()).toEqual([{ intent_id: 'intent-1' }])
    await db.destroy()
  })

  test('compiles in a strict project, for every tool that has types', () => {
    symlinkSync(join(import.meta.dirname, '../../node_modules'), inFolder('node_modules'))
    const compilerOptions = {
      strict: true,
      noImplicitOverride: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      module: 'nodenext',
      target: 'es2023',
      skipLibCheck: true,
      noEmit: true,
      types: [],
    }
    writeFileSync(inFolder('package.json'), '{ "type": "module" }')
    writeFileSync(inFolder('tsconfig.json'), JSON.stringify({ compilerOptions }))
    for (const tool of ['typeorm', 'knex', 'kysely', 'mikro-orm', 'sequelize']) {
      writeMigration(requestOf('--for', tool, '--dialect', 'postgresql', '--out', tool), workplace())
    }
    const compiler = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', inFolder()], { encoding: 'utf8' })
    expect([stdout, status]).toEqual(['', 0])
  })

  test('is not written twice, whenever the command is run', () => {
    const request = requestOf('--for', 'typeorm', '--dialect', 'postgresql', '--out', 'database')
    writeMigration(request, workplace())
    const before = readdirSync(inFolder('database'))
    expect(() => writeMigration(request, { ...workplace(), now: NOW + 86_400_000 })).toThrow(
      'database/1924991998000-TallystickJournalV1.js is there already; 1 is the newest version',
    )
    expect(readdirSync(inFolder('database'))).toEqual(before)
  })

  test('has the later steps alone if the folder has the earlier ones, or if the command line says so', () => {
    const request = requestOf('--for', 'knex', '--dialect', 'postgresql', '--out', 'migrations')
    const steps = [...MIGRATIONS, later]
    writeMigration(request, workplace())
    writeMigration(request, { ...workplace(), now: NOW + 1000 }, steps)
    expect(readdirSync(inFolder('migrations'))).toEqual([
      '20301231235958_tallystick_journal_v1.js',
      '20301231235959_tallystick_journal_v2.js',
    ])
    writeMigration({ ...request, out: 'elsewhere', from: 1 }, workplace(), steps)
    for (const file of [
      inFolder('migrations', '20301231235959_tallystick_journal_v2.js'),
      inFolder('elsewhere', '20301231235958_tallystick_journal_v2.js'),
    ]) {
      const text = readFileSync(file, 'utf8')
      expect(text).toContain('alter table journal_intents add column note text')
      expect(text).not.toContain('create table')
      expect(text).toContain('This step of @tallystick/journal is not taken back')
    }
    expect(() => writeMigration({ ...request, out: 'third', from: 2 }, workplace(), steps)).toThrow('2 is the newest')
  })

  test('goes where the tool looks for it, if the shop has that folder', () => {
    const request = requestOf('--for', 'prisma', '--dialect', 'postgresql')
    expect(() => writeMigration(request, workplace())).toThrow(
      'there is no folder prisma/migrations: name the one of your migrations by --out',
    )
    mkdirSync(inFolder('prisma', 'migrations'), { recursive: true })
    const said = writeMigration(request, workplace())
    expect(said).toContain('prisma/migrations/20301231235958_tallystick_journal_v1/migration.sql\n')
    expect(said).toContain("tables: { external: ['public.journal_intents', 'public.journal_outcomes',")
  })

  test.each([
    [{ 'package.json': '{}' }, [], /\.js$/, /^exports\.up = /m],
    [{ 'package.json': '{ "type": "module" }' }, [], /\.js$/, /^export async function up\(db\)/m],
    [{ 'tsconfig.json': '' }, [], /\.ts$/, /^export async function up\(db: Kysely<unknown>\): Promise<void>/m],
    [{ 'tsconfig.json': '' }, ['1_first.mjs'], /\.mjs$/, /^export async function up\(db\)/m],
    [{ 'package.json': '{ "type": "module" }' }, ['1_first.cjs', '0.ts'], /\.cjs$/, /^exports\.up = /m],
  ])('is written as the project is: %j with %j', (project, present, name, code) => {
    for (const [file, text] of Object.entries(project)) writeFileSync(inFolder(file), text)
    mkdirSync(inFolder('migrations'))
    for (const file of present) writeFileSync(inFolder('migrations', file), '')
    writeMigration(requestOf('--for', 'kysely', '--dialect', 'sqlite'), workplace())
    const written = readdirSync(inFolder('migrations')).find((file) => file.includes('tallystick')) ?? ''
    expect(written).toMatch(name)
    expect(readFileSync(inFolder('migrations', written), 'utf8')).toMatch(code)
  })

  test.each([
    [['--dialect', 'sqlite'], 'migration needs --for prisma, --for typeorm'],
    [['--for', 'rails', '--dialect', 'sqlite'], 'migration needs --for prisma'],
    [['--for', 'knex'], 'migration needs --dialect'],
    [['--for', 'knex', '--dialect', 'sqlite', '--schema', 'payments'], '--schema is for --dialect postgresql'],
    [['--for', 'knex', '--dialect', 'postgresql', '--schema', 'pg_mine'], '--schema must be a text'],
    [['--for', 'knex', '--dialect', 'postgresql', '--from', 'first'], '--from must be a version, such as 1'],
  ])('[F-C16] is refused with %j', (args, says) => {
    expect(() => requestOf(...args)).toThrow(says)
  })
})
