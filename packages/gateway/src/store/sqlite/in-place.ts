import { statSync } from 'node:fs'
import type { Database } from './database.ts'

/**
 * Tells whether the names of a database still lead to the files that it has open. Where they do not, since somebody has removed or
 * replaced them, it goes on writing all the same, to what is gone when it is closed. A file that was not there at the beginning is not
 * missed later.
 */
export function inPlaceOf(database: Database): () => boolean {
  const found = filesOf(database).map((name) => ({ name, identity: identityOf(name) }))
  return () => found.every(({ name, identity }) => identity === undefined || identity === identityOf(name))
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
