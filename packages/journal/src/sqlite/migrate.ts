import { noteOf, versionTable } from '../schema/migration.ts'
import { MIGRATIONS } from '../schema/migrations.ts'
import { queries } from '../schema/queries.ts'
import { type Connection, patiently } from './connection.ts'

/** The version of the tables in this database; 0 where there are none. */
export function versionOf(connection: Connection): number {
  const tables = connection.database.prepare("select name from sqlite_schema where type = 'table' and name = ?")
  if (tables.get('journal_version') === undefined) return 0
  const newest = queries.sqlite.selectFrom('journal_version').select(({ fn }) => fn.max('version').as('version'))
  return connection.get(newest.compile())?.version ?? 0
}

/**
 * Brings the tables to the newest version, in one transaction. Gives the version that they had.
 *
 * @throws Error when a later version of this package wrote them
 */
export function migrate(connection: Connection): number {
  return patiently(connection, upgraded)
}

function upgraded(connection: Connection): number {
  const { database } = connection
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(connection)
    if (version > MIGRATIONS.length) {
      throw new Error(
        `The journal has version ${version}, and this package knows ${MIGRATIONS.length}: take a later one`,
      )
    }
    upgrade(connection, version)
    database.exec('COMMIT')
    return version
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function upgrade(connection: Connection, version: number): void {
  if (version === 0) connection.run(versionTable('sqlite'))
  for (const migration of MIGRATIONS.slice(version)) {
    for (const statement of migration.statements('sqlite')) connection.run(statement)
    connection.run(noteOf(migration, 'sqlite'))
  }
}
