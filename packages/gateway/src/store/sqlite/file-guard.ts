import { statSync } from 'node:fs'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'

/**
 * Checks that the names of a database's files still lead to the files that it has open. If somebody has removed or replaced one,
 * SQLite goes on writing all the same, to a file that is gone once it is closed. A file that was not there at the beginning is
 * not missed later.
 *
 * @returns a check that throws a StoreError if one of the files is gone
 */
export function inPlaceOf(database: Database): () => void {
  const found = [fileOf(database), `${fileOf(database)}-wal`].map((name) => ({ name, identity: identityOf(name) }))
  return () => {
    for (const { name, identity } of found) {
      if (identity !== undefined && identity !== identityOf(name)) throw goneError(name)
    }
  }
}

function goneError(name: string): StoreError {
  return new StoreError(
    'UNSOUND',
    `${name} was removed or replaced while the gateway has it open, and what is written to it would be lost: put the file back, or restart the gateway`,
  )
}

/** As SQLite knows it: a full path without links, which holds even if the process changes its directory. */
export function fileOf(database: Database): string {
  return String(database.prepare('PRAGMA database_list').get()?.['file'])
}

/** `undefined`: there is no such file. Large numbers, as on Windows, are exact only as `bigint`. */
function identityOf(name: string): string | undefined {
  try {
    const { dev, ino } = statSync(name, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
