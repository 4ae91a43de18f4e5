import { NO_VERSION, type PresentVersion, presentVersion, upgradeFrom } from '../statements/upgrade.ts'
import type { Connection } from './connection.ts'
import { openedOr, readOnly } from './open-connection.ts'

function versionOf(connection: Connection): PresentVersion {
  const tables = connection.database.prepare("select name from sqlite_schema where type = 'table' and name = ?")
  if (tables.get('journal_version') === undefined) return NO_VERSION
  return connection.perform(presentVersion('sqlite'))
}

/**
 * Brings the tables to the newest version, in one transaction. Gives the version that they had.
 *
 * @throws Error when a later version of this package made tables that this one cannot work with
 */
export function migrate(connection: Connection): number {
  return openedOr(connection, () => upgraded(connection))
}

function upgraded(connection: Connection): number {
  const { database } = connection
  database.exec('BEGIN IMMEDIATE')
  try {
    const present = versionOf(connection)
    connection.perform(upgradeFrom(present, 'sqlite'))
    database.exec('COMMIT')
    return present.version
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Whether a file has the tables of a journal. */
export function hasJournal(file: string): boolean {
  const connection = readOnly(file)
  const isThere = openedOr(connection, () => versionOf(connection).version > NO_VERSION.version)
  connection.database.close()
  return isThere
}
