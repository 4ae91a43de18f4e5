import { promises as fs, symlinkSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { EntitySchema } from '@mikro-orm/core'
import { Migrator as MikroMigrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/mysql'
import { drizzle } from 'drizzle-orm/mysql2'
import { migrate as migrateByDrizzle } from 'drizzle-orm/mysql2/migrator'
import createKnex from 'knex'
import { Kysely, MysqlDialect } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { createPool as createCallbackPool } from 'mysql2'
import { createPool } from 'mysql2/promise'
import { Sequelize } from 'sequelize'
import { DataSource } from 'typeorm'
import { SequelizeStorage, Umzug } from 'umzug'
import { beforeEach, expect, test } from 'vitest'
import { writeMigration } from '../../src/cli/migration.ts'
import type { ToolName } from '../../src/cli/migration-tools.ts'
import { mysql2JournalStore } from '../../src/mysql2.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { describeMariaDb, mariaDb } from '../store/mariadb.ts'

interface Migrations {
  up(): Promise<unknown>
  /** Takes the last one back, if the tool has a way back. */
  down?(): Promise<unknown>
  /** The statements that the tool would make of what differs from the shop's models, if it compares them. */
  differences?(): Promise<unknown>
  end(): Promise<unknown>
}

const Paid = new EntitySchema<{ key: string }>({
  name: 'Paid',
  tableName: 'paid',
  properties: { key: { type: 'string', primary: true } },
})

const TOOLS: Readonly<Partial<Record<ToolName, (uri: string, folder: string) => Promise<Migrations>>>> = {
  drizzle: async (uri, migrationsFolder) => {
    const pool = createPool(uri)
    return { up: () => migrateByDrizzle(drizzle({ client: pool }), { migrationsFolder }), end: () => pool.end() }
  },
  knex: async (connection, directory) => {
    const log = { warn: () => {}, error: () => {} }
    const knex = createKnex({ client: 'mysql2', connection, migrations: { directory }, log })
    return { up: () => knex.migrate.latest(), down: () => knex.migrate.rollback(), end: () => knex.destroy() }
  },
  kysely: async (uri, migrationFolder) => {
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: createCallbackPool(uri) }) })
    const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) })
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
  'mikro-orm': async (clientUrl, folder) => {
    const orm = await MikroORM.init({
      entities: [Paid],
      clientUrl,
      extensions: [MikroMigrator],
      logger: () => {},
      migrations: { path: folder, snapshot: false },
      schemaGenerator: { skipTables: [/^journal_/], ignoreRoutines: true },
    })
    return {
      up: () => orm.migrator.up(),
      down: () => orm.migrator.down(),
      differences: () => orm.schema.getUpdateSchemaSQL({ safe: false }),
      end: () => orm.close(),
    }
  },
  sequelize: async (uri, folder) => {
    const sequelize = new Sequelize(uri, { logging: false })
    const umzug = new Umzug({
      migrations: { glob: join(folder, '*.ts') },
      context: sequelize.getQueryInterface(),
      storage: new SequelizeStorage({ sequelize }),
      logger: undefined,
    })
    return { up: () => umzug.up(), down: () => umzug.down(), end: () => sequelize.close() }
  },
  typeorm: async (url, folder) => {
    const source = await new DataSource({ type: 'mysql', url, migrations: [join(folder, '*.ts')] }).initialize()
    return {
      up: () => source.runMigrations(),
      down: () => source.undoLastMigration(),
      differences: async () => (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query),
      end: () => source.destroy(),
    }
  },
}

describeMariaDb('On MariaDB', () => {
  const { fresh, runIn } = mariaDb()
  const inFolder = ownFolder()
  let url = ''
  beforeEach(async () => {
    url = await fresh()
  })

  /** Pays as a user who may make nothing, and gives what it finds. */
  async function payAsReader(): Promise<unknown> {
    const address = new URL(url)
    const user = `reader_${address.pathname.slice(1)}`
    await runIn(
      url,
      `create user ${user} identified by 'x'; grant select, insert, update, delete on ${address.pathname.slice(1)}.* to ${user}`,
    )
    address.username = user
    address.password = 'x'
    const pool = createPool(address.href)
    const store = mysql2JournalStore(pool)
    await store.insert(intentWith())
    const found = await store.find('intent-1')
    await store.close()
    await pool.end()
    return found
  }

  test.each(Object.entries(TOOLS))(
    'the migration for %s makes the tables, and drops only empty ones',
    async (...shop) => {
      const [tool, open] = shop
      writeFileSync(inFolder('tsconfig.json'), '{}')
      symlinkSync(join(import.meta.dirname, '../../node_modules'), inFolder('node_modules'))
      const request = { name: 'migration', tool: tool as ToolName, dialect: 'mysql', schema: undefined } as const
      writeMigration({ ...request, out: 'migrations', from: undefined }, { folder: inFolder(), now: Date.UTC(2030) })
      const migrations = await open(url, inFolder('migrations'))
      const tables = () => runIn(url, "show tables like 'journal%'")
      await migrations.up()
      expect(await tables()).toHaveLength(5)
      if (migrations.down !== undefined) {
        await migrations.down()
        expect(await tables()).toEqual([])
        await migrations.up()
      }
      expect(await payAsReader()).toEqual(intentWith())
      expect(await runIn(url, 'select version, name from journal_version')).toEqual([{ version: 1, name: 'first' }])
      expect(String(await migrations.differences?.())).not.toContain('journal')
      if (migrations.down !== undefined) await expect(migrations.down()).rejects.toThrow('say what was paid')
      expect(await tables()).toHaveLength(5)
      await migrations.end()
    },
  )
})
