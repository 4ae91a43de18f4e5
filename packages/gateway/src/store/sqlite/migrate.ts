import { NO_VERSION, newestStep, type PresentVersion, presentVersionOf } from '@tallystick/durable/schema'
import type { CompiledQuery } from 'kysely'
import { upgradeFrom, VERSION_TABLE } from '../sql/migrations/migrations.ts'
import { StoreError } from '../store-error.ts'
import type { Database, SqlValue } from './database.ts'

const VERSIONS = { dialect: 'sqlite', table: VERSION_TABLE } as const

/**
 * Brings the schema to the newest version, in one transaction.
 *
 * @throws StoreError if the file is of a later version that this gateway cannot work on, or another program's
 */
export function migrate(database: Database, file: string): void {
  const statements = upgradeFrom(presentVersion(database, file), file, VERSIONS).flat()
  if (statements.length === 0) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const each of statements) prepared(database, each).run()
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function presentVersion(database: Database, file: string): PresentVersion {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (tables.length === 0) return NO_VERSION
  if (tables.some(({ name }) => name === VERSION_TABLE))
    return presentVersionOf(prepared(database, newestStep(VERSIONS)).get())
  throw new StoreError('FOREIGN', `${file} is a database of another program`)
}

function prepared(database: Database, { sql, parameters }: CompiledQuery) {
  const statement = database.prepare(sql)
  const values = parameters as SqlValue[]
  return { run: () => void statement.run(...values), get: () => statement.get(...values) }
}
