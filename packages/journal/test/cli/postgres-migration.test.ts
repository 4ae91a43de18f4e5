import { promises as fs, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { Migrator as MikroMigrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { testDatabase } from '@tallystick/test-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as migrateByDrizzle } from 'drizzle-orm/node-postgres/migrator'
import createKnex from 'knex'
import { Kysely, PostgresDialect } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import { Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { SequelizeStorage, Umzug } from 'umzug'
import { describe, expect, test } from 'vitest'
import { writeMigration } from '../../src/cli/migration.ts'
import type { ToolName } from '../../src/cli/migration-tools.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { postgresWorld } from '../store/postgres-world.ts'

const { url, open, inShop, wipe } = postgresWorld()
const inFolder = ownFolder()
const NOW = Date.UTC(2030, 11, 31, 23, 59, 58)

/** A shop's tool on the database, with the migrations of a folder. */
interface Migrations {
  up(): Promise<unknown>
  /** Takes the last one back. */
  down(): Promise<unknown>
  /** The statements that it would make of what differs from the shop's models, if it compares them. */
  differences?(): Promise<unknown>
  end(): Promise<unknown>
}

interface Shop {
  readonly tool: ToolName
  /** What says in which language the shop writes. */
  readonly project: Readonly<Record<string, string>>
  /** The file that the tool itself would have written. */
  readonly file: RegExp
  open(folder: string): Promise<Migrations>
}

interface Paid {
  key: string
}
const MikroPaid = new MikroSchema<Paid>({
  name: 'Paid',
  tableName: 'paid',
  properties: { key: { type: 'text', primary: true } },
})
const TypeOrmPaid = new EntitySchema<Paid>({ name: 'paid', columns: { key: { type: 'text', primary: true } } })

/** The address for a library that does not know all of what pg knows, and the schema. */
function placeOf(text: string): { readonly href: string; readonly schema: string } {
  const address = new URL(text)
  const [, schema = 'public'] = address.searchParams.get('options')?.split('search_path=') ?? []
  address.search = ''
  return { href: address.href, schema }
}

async function mikroOrm(folder: string, schemaGenerator: object, address = url()): Promise<Migrations> {
  const { href, schema } = placeOf(address)
  const orm = await MikroORM.init({
    entities: [MikroPaid],
    clientUrl: href,
    schema,
    driverOptions: { options: `-c search_path=${schema}` },
    extensions: [MikroMigrator],
    logger: () => {},
    migrations: { path: folder, snapshot: false },
    schemaGenerator,
  })
  return {
    up: () => orm.migrator.up(),
    down: () => orm.migrator.down(),
    differences: () => orm.schema.getUpdateSchemaSQL({ safe: false }),
    end: () => orm.close(),
  }
}

async function typeorm(folder: string): Promise<Migrations> {
  const { schema } = placeOf(url())
  const source = new DataSource({
    type: 'postgres',
    url: url(),
    schema,
    entities: [TypeOrmPaid],
    migrations: [join(folder, '*.ts')],
  })
  await source.initialize()
  return {
    up: () => source.runMigrations(),
    down: () => source.undoLastMigration(),
    differences: async () => (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query),
    end: () => source.destroy(),
  }
}

const SHOPS: readonly Shop[] = [
  {
    tool: 'knex',
    project: { 'package.json': '{}' },
    file: /^20301231235958_tallystick_journal_v1\.js$/,
    open: async (directory) => {
      const log = { warn: () => {}, error: () => {} }
      const knex = createKnex({ client: 'pg', connection: url(), migrations: { directory }, log })
      return { up: () => knex.migrate.latest(), down: () => knex.migrate.rollback(), end: () => knex.destroy() }
    },
  },
  {
    tool: 'kysely',
    project: { 'package.json': '{ "type": "module" }' },
    file: /^1924991998000_tallystick_journal_v1\.js$/,
    open: async (migrationFolder) => {
      const db = new Kysely<unknown>({
        dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url() }) }),
      })
      const provider = new FileMigrationProvider({ fs, path, migrationFolder })
      // Otherwise it takes the table of another test for its own.
      const migrator = new Migrator({ db, provider, migrationTableSchema: placeOf(url()).schema })
      const throwing = async (result: Promise<{ readonly error?: unknown }>) => {
        const { error } = await result
        if (error !== undefined) throw error
      }
      return {
        up: () => throwing(migrator.migrateToLatest()),
        down: () => throwing(migrator.migrateDown()),
        end: () => db.destroy(),
      }
    },
  },
  {
    tool: 'mikro-orm',
    project: { 'tsconfig.json': '{}' },
    file: /^Migration20301231235958_tallystick_journal_v1\.ts$/,
    open: (folder) => mikroOrm(folder, { skipTables: [/^journal_/] }),
  },
  {
    tool: 'sequelize',
    project: { 'package.json': '{}' },
    file: /^20301231235958-tallystick_journal_v1\.js$/,
    open: async (folder) => {
      const sequelize = new Sequelize(url(), { logging: false })
      const umzug = new Umzug({
        migrations: { glob: join(folder, '*.js') },
        context: sequelize.getQueryInterface(),
        storage: new SequelizeStorage({ sequelize }),
        logger: undefined,
      })
      return { up: () => umzug.up(), down: () => umzug.down(), end: () => sequelize.close() }
    },
  },
  {
    tool: 'typeorm',
    project: { 'tsconfig.json': '{}' },
    file: /^1924991998000-TallystickJournalV1\.ts$/,
    open: typeorm,
  },
]

/** A folder of the shop with the migration in it. */
function written(shop: Pick<Shop, 'tool' | 'project'>, schema?: string): string {
  for (const [name, text] of Object.entries(shop.project)) writeFileSync(inFolder(name), text)
  symlinkSync(join(import.meta.dirname, '../../node_modules'), inFolder('node_modules'))
  const request = { name: 'migration', tool: shop.tool, dialect: 'postgresql', schema } as const
  writeMigration({ ...request, out: 'migrations', from: undefined }, { folder: inFolder(), now: NOW })
  return inFolder('migrations')
}

/** Pays as a role that may make nothing, and gives what it finds. */
async function payAsReader(schema: string): Promise<unknown> {
  const role = `reader_${schema}`
  await inShop(`create role ${role} login password 'x'; grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
  const address = new URL(url())
  address.username = role
  address.password = 'x'
  address.searchParams.set('options', `-c search_path=${schema}`)
  const store = open(address.href)
  await store.insert(intentWith())
  return await store.find('intent-1')
}

const versions = (schema: string) => inShop(`select version, name, works_with from ${schema}.journal_version`)
const tablesIn = (schema: string) =>
  inShop(`select table_name as name from information_schema.tables where table_schema = '${schema}'
    and table_name like 'journal%'`)

describe.each(SHOPS)('The migration for $tool', (shop) => {
  test('has the name that the tool gives its own, and makes tables for a role that may make none', async () => {
    await inShop('create table paid (key text primary key)')
    const { schema } = placeOf(url())
    const folder = written(shop)
    expect(readdirSync(folder)).toEqual([expect.stringMatching(shop.file)])
    const migrations = await shop.open(folder)
    await migrations.up()
    await migrations.up()
    expect(await versions(schema)).toEqual([{ version: 1, name: 'first', works_with: 1 }])
    expect(await payAsReader(schema)).toEqual(intentWith())
    await migrations.end()
  })

  test('drops the tables while they are empty, and none that says what was paid', async () => {
    await inShop('create table paid (key text primary key)')
    const { schema } = placeOf(url())
    const migrations = await shop.open(written(shop))
    await migrations.up()
    await migrations.down()
    expect(await tablesIn(schema)).toEqual([])
    await migrations.up()
    await open().insert(intentWith())
    await expect(migrations.down()).rejects.toThrow('say what was paid')
    expect(await open().find('intent-1')).toEqual(intentWith())
    await migrations.end()
  })

  test('makes them in a schema of their own, which a reset of the database may have left', async () => {
    const schema = `of_journal_${placeOf(url()).schema}`
    const migrations = await shop.open(written(shop, schema))
    await migrations.up()
    expect(await tablesIn(placeOf(url()).schema)).toEqual([])
    expect(await payAsReader(schema)).toEqual(intentWith())
    await expect(migrations.down()).rejects.toThrow('say what was paid')
    await migrations.end()
    await wipe()
    const again = await shop.open(inFolder('migrations'))
    await again.up()
    await again.end()
    expect(await versions(schema)).toEqual([{ version: 1, name: 'first', works_with: 1 }])
    await inShop(`drop schema ${schema} cascade`)
  })
})

describe('The migration for drizzle', () => {
  const run = async (migrationsFolder: string) => {
    const { schema } = placeOf(url())
    const db = drizzle({ client: new pg.Pool({ connectionString: url() }) })
    await migrateByDrizzle(db, { migrationsFolder, migrationsSchema: schema })
    await db.$client.end()
  }

  test('comes after those that the shop has, even if they are of a later time', async () => {
    const { schema } = placeOf(url())
    // As drizzle-kit 0.31 writes it.
    mkdirSync(inFolder('migrations', 'meta'), { recursive: true })
    const entry = { idx: 0, version: '7', when: NOW + 1000, tag: '0000_lazy_banshee', breakpoints: true }
    const list = { version: '7', dialect: 'postgresql', entries: [entry] }
    writeFileSync(inFolder('migrations', 'meta', '_journal.json'), JSON.stringify(list))
    writeFileSync(inFolder('migrations', '0000_lazy_banshee.sql'), 'create table paid (key text primary key);')
    await run(inFolder('migrations'))
    const folder = written({ tool: 'drizzle', project: {} })
    expect(readdirSync(folder).sort()).toEqual(['0000_lazy_banshee.sql', '0001_tallystick_journal_v1.sql', 'meta'])
    await run(folder)
    expect(await versions(schema)).toEqual([{ version: 1, name: 'first', works_with: 1 }])
    expect(await payAsReader(schema)).toEqual(intentWith())
  })
})

describe('The comparison of models with the database', () => {
  /** The statements that would drop tables of the journal. */
  const dropping = async (migrations: Migrations | undefined) =>
    String(await migrations?.differences?.()).match(/drop (?:table|schema|function)[^;]*(?:journal|payments)[^;]*/gi) ??
    []

  test.each([
    ['among those of the shop', undefined, { skipTables: [/^journal_/], ignoreRoutines: true }],
    ['in a schema of their own', 'payments', { ignoreSchema: ['payments'] }],
  ])(
    'of MikroORM drops the tables and their marker %s, unless its configuration says what the command prints',
    async (...given) => {
      const [, schema, setting] = given
      // It compares all schemas of the database.
      const database = await testDatabase()
      const folder = written({ tool: 'mikro-orm', project: { 'tsconfig.json': '{}' } }, schema)
      const [careless, careful] = await Promise.all([{}, setting].map((one) => mikroOrm(folder, one, database.url)))
      await careful?.up()
      expect(await dropping(careless)).toContain(
        `drop table if exists ${schema ? '"payments".' : ''}"journal_intents" cascade`,
      )
      expect(await dropping(careful)).toEqual([])
      await Promise.all([careless?.end(), careful?.end()])
      await database.close()
    },
  )

  test('of TypeORM leaves the tables alone', async () => {
    const migrations = await typeorm(written({ tool: 'typeorm', project: { 'tsconfig.json': '{}' } }))
    await migrations.up()
    expect(await migrations.differences?.()).toEqual([expect.stringMatching(/^CREATE TABLE .*"paid"/)])
    await migrations.end()
  })
})
