import { statSync } from 'node:fs'
import type { Connection } from './connection.ts'

/**
 * Makes sure that the file and its log are still where they were opened. If an operator removes or replaces them under a running
 * shop, SQLite goes on writing to files without a name, and at its next start the shop would have forgotten what it sent.
 *
 * @returns a function that throws an Error with the name of the file that is gone
 */
export function inPlace({ database }: Connection): () => void {
  const file = database.location() ?? ''
  const opened = [file, `${file}-wal`].map((name) => ({ name, inode: inodeOf(name) }))
  return () => {
    const gone = opened.find(({ name, inode }) => inode !== undefined && inodeOf(name) !== inode)
    if (gone !== undefined) throw goneError(gone.name)
  }
}

/** `undefined`: there is no file of this name. The numbers of Windows are exact only as a `bigint`. */
function inodeOf(name: string): bigint | undefined {
  return statSync(name, { bigint: true, throwIfNoEntry: false })?.ino
}

function goneError(name: string): Error {
  return new Error(
    `sqliteJournalStore: ${name} was removed or replaced while it is open, and what is written to it would be forgotten: ` +
      'put it back where it was, or stop the shop and start it anew',
  )
}
