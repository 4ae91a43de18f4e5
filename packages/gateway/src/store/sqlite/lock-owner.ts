import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Queries } from '../sql/tables.ts'
import { StoreError } from '../store-error.ts'
import { type Database, preparedStatement } from './database.ts'

/**
 * Notes who holds the file, for the message that another process gets. The lock itself is the system's, on the database: it
 * ends with the process, so the note of a killed process means nothing.
 */
export interface LockOwner {
  /** @throws StoreError when it cannot be written */
  write(): void
  remove(): void
}

export function lockOwnerOf(file: string): LockOwner {
  const name = nameOf(file)
  return {
    write: () => {
      try {
        writeFileSync(name, `${process.pid}\n`)
      } catch (error) {
        throw new StoreError('UNWRITABLE', `${name} cannot be written to (${(error as NodeJS.ErrnoException).code})`)
      }
    },
    remove: () => rmSync(name, { force: true }),
  }
}

/** Who has the file. A program that reads it, such as a backup, keeps a gateway out as well, and leaves no note. */
export function describeLockOwner(file: string): string {
  const pid = notedIn(nameOf(file))
  return isRunning(pid) ? `another gateway (pid ${pid})` : 'another process: a gateway, or a program that reads it'
}

/** `NaN` if nobody is noted. */
function notedIn(name: string): number {
  try {
    return Number.parseInt(readFileSync(name, 'utf8'), 10)
  } catch {
    return Number.NaN
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function nameOf(file: string): string {
  return `${file}.pid`
}

/** Writes a row, to see whether the store can be written to. */
export function writabilityCheck(database: Database, queries: Queries): () => void {
  const write = preparedStatement(
    database,
    {},
    queries.updateTable('probe').set(({ eb, ref }) => ({ written: eb(ref('written'), '+', 1n) })),
  )
  return () => void write.run(undefined)
}
