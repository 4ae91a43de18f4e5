import { newestVersion, upgradeFrom } from '../statements/upgrade.ts'
import { type Connection, patiently } from './connection.ts'

/** The version of the tables in this database; 0 where there are none. */
function versionOf(connection: Connection): number {
  const tables = connection.database.prepare("select name from sqlite_schema where type = 'table' and name = ?")
  if (tables.get('journal_version') === undefined) return 0
  return connection.perform(newestVersion('sqlite'))
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
    connection.perform(upgradeFrom(version, 'sqlite'))
    database.exec('COMMIT')
    return version
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
