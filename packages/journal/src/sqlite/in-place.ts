import { statSync } from 'node:fs'
import type { Connection } from './connection.ts'

/**
 * Makes sure that the file and its log are still where they were opened. An operator who removes or replaces them under a shop that
 * runs would make it forget what it has sent, at its next start: SQLite goes on writing to files without a name.
 *
 * @returns what throws an Error that names the file which is gone
 */
export function inPlace({ database }: Connection): () => void {
  const file = database.location() ?? ''
  const opened = [file, `${file}-wal`].map((name) => ({ name, inode: inodeOf(name) }))
  return () => {
    const gone = opened.find(({ name, inode }) => inode !== undefined && inodeOf(name) !== inode)
    if (gone !== undefined) throw goneError(gone.name)
  }
}

/** `undefined`: nothing has this name. Numbers of Windows are exact in a `bigint` alone. */
function inodeOf(name: string): bigint | undefined {
  return statSync(name, { bigint: true, throwIfNoEntry: false })?.ino
}

function goneError(name: string): Error {
  return new Error(
    `sqliteJournalStore: ${name} was removed or replaced while it is open, and what is written to it would be forgotten: ` +
      'put it back where it was, or stop the shop and start it anew',
  )
}
