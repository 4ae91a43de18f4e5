import { NO_VERSION, type PresentVersion } from '@tallystick/durable/schema'
import { presentVersion, upgradeFrom } from '../schema/migrations.ts'
import { TablesGoneError } from '../statements/work.ts'
import { type Connection, openedOr, readOnly } from './connection.ts'

/** "taly" in ASCII. */
const APPLICATION_ID = 0x74_61_6c_79

function versionOf(connection: Connection): PresentVersion {
  const tables = connection.database.prepare("select name from sqlite_schema where type = 'table' and name = ?")
  if (tables.get('journal_version') === undefined) return NO_VERSION
  return connection.execute(presentVersion('sqlite'))
}

/**
 * Brings the tables to the newest version, in one transaction. Gives the version that they had.
 *
 * @throws Error when a later version of this package made tables that this one cannot work with; when tables that were there are gone
 *   (`TablesGoneError`)
 */
export function migrate(connection: Connection, isAnew = false): number {
  return openedOr(connection, () => upgraded(connection, isAnew))
}

function upgraded(connection: Connection, isAnew: boolean): number {
  const { database } = connection
  database.exec('BEGIN IMMEDIATE')
  try {
    const present = versionOf(connection)
    const isMarked = markerOf(connection) === APPLICATION_ID
    if (present.version === 0 && isMarked && !isAnew) throw new TablesGoneError(database.location() ?? '')
    connection.execute(upgradeFrom(present, 'sqlite'))
    // A file of the shop may have an id of its own.
    if (markerOf(connection) === 0) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    database.exec('COMMIT')
    return present.version
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function markerOf({ database }: Connection): unknown {
  return database.prepare('PRAGMA application_id').get()?.['application_id']
}

/**
 * Whether a file has the tables of a journal.
 *
 * @throws TablesGoneError if it had them
 */
export function hasJournal(file: string): boolean {
  const connection = readOnly(file)
  const isThere = openedOr(connection, () => {
    if (versionOf(connection).version > NO_VERSION.version) return true
    if (markerOf(connection) === APPLICATION_ID) throw new TablesGoneError(file)
    return false
  })
  connection.database.close()
  return isThere
}
