import { sql } from 'kysely'
import type { Queries } from '../../sql/tables.ts'
import { StoreError } from '../../store-error.ts'
import type { Database, SqlValue } from '../database.ts'
import { first } from './0001-first.ts'
import type { Migration } from './migration.ts'

/** In their order; the version of each is its place, from 1. */
const MIGRATIONS: readonly Migration[] = [first]

/**
 * Brings the schema to the newest version, in one transaction.
 *
 * @throws StoreError if the file is from a later version, or from another program
 */
export function migrate(database: Database, queries: Queries, file: string): void {
  const version = schemaVersion(database, file)
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      'NEWER',
      `${file} has version ${version} of the schema, and this gateway knows ${MIGRATIONS.length}: use a later gateway`,
    )
  }
  if (version < MIGRATIONS.length) inTransaction(database, () => upgrade(database, queries, version))
}

function schemaVersion(database: Database, file: string): number {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (tables.length === 0) return 0
  if (!tables.some(({ name }) => name === 'schema_version')) {
    throw new StoreError('FOREIGN', `${file} is a database of another program`)
  }
  return Number(database.prepare('select max(version) as version from schema_version').get()?.['version'])
}

function upgrade(database: Database, queries: Queries, version: number): void {
  const run = ({ sql: text, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) =>
    void database.prepare(text).run(...(parameters as SqlValue[]))
  if (version === 0) run(versionTable(queries))
  for (const migration of MIGRATIONS.slice(version)) {
    for (const statement of migration.statements(queries)) run(statement)
    run(queries.insertInto('schema_version').values({ version: migration.version, name: migration.name }).compile())
  }
}

function versionTable({ schema }: Queries) {
  return schema
    .createTable('schema_version')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .compile()
}

function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
