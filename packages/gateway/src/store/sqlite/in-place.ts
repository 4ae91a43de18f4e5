import { statSync } from 'node:fs'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'

/**
 * Makes sure that the names of a database still lead to the files that it has open. Where they do not, since somebody has removed or
 * replaced them, SQLite goes on writing all the same, to what is gone when it is closed. A file that was not there at the beginning
 * is not missed later.
 *
 * @returns what throws a StoreError where one of them is gone
 */
export function inPlaceOf(database: Database): () => void {
  const found = filesOf(database).map((name) => ({ name, identity: identityOf(name) }))
  return () => {
    for (const { name, identity } of found) {
      if (identity !== undefined && identity !== identityOf(name)) throw goneError(name)
    }
  }
}

function goneError(name: string): StoreError {
  return new StoreError(
    'UNSOUND',
    `${name} was removed or replaced while the gateway has it open, and what is written to it would be gone: put the file back where it was, or stop the gateway and start it anew`,
  )
}

/** As SQLite knows them: whole paths without links, which hold wherever the process goes on. */
function filesOf(database: Database): readonly string[] {
  const main = String(database.prepare('PRAGMA database_list').get()?.['file'])
  return [main, `${main}-wal`]
}

/** `undefined`: there is no such file. Large numbers, as those of Windows, are exact in a `bigint` alone. */
function identityOf(name: string): string | undefined {
  try {
    const { dev, ino } = statSync(name, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
