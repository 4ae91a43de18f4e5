import { fstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
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

/** A look must not take more than this part of the time, unless there is a reason for it. */
const MOST_OF_THE_TIME = 0.02
/** Libraries that bring a SQLite of their own, by the names of their binaries. */
const LIBRARIES = /sqlite|libsql|query_engine|turso/i

/**
 * Finds out whether another SQLite library of this process has the file. Locks of POSIX belong to a process: two libraries in
 * one process do not see each other's, overwrite each other's pages, and committed rows are lost without an error.
 *
 * All connections of one library share one descriptor of the file's shared memory (`-shm`), however many there are and in
 * whatever thread. Another library opens one of its own when it first reads the file. A library that has not read it yet, or
 * keeps it in another mode than WAL, is not seen; nor is any where the system does not list the descriptors of a process. On
 * Windows the locks belong to a handle, so that there is nothing to find.
 *
 * @param version Changes when others have written to the file: then it looks at once
 * @param own How many descriptors our own library has: 1, or 0 if it holds the file for itself
 * @param now Milliseconds of a clock that cannot be set
 * @returns a check that throws an Error
 * @see {@link https://www.sqlite.org/howtocorrupt.html} section 2.2.1
 */
function noOtherLibrary({ file, own, now, version }: Looked, failure: (message: string) => Error): () => void {
  let lookAt = Number.NEGATIVE_INFINITY
  let seen: unknown
  return () => {
    const begun = now()
    const present = version()
    if (begun < lookAt && present === seen) return
    if (descriptorsOf(file) > own) throw failure(messageFor(file))
    const ended = now()
    lookAt = ended + (ended - begun) / MOST_OF_THE_TIME
    seen = present
  }
}

/**
 * Connections that are left open, because closing the last one of our library would remove the log of the file while the other
 * library goes on writing to it.
 */
const left: unknown[] = []

export function leaveOpen(...databases: readonly unknown[]): void {
  left.push(...databases)
}

interface Looked {
  readonly file: string
  readonly own: 0 | 1
  readonly now: () => number
  readonly version: () => unknown
}

/** The check for a connection of the journal. */
export function aloneOn({ database }: Connection, now: () => number): () => void {
  const version = database.prepare('PRAGMA data_version')
  return noOtherLibrary(
    { file: database.location() ?? '', own: 1, now, version: () => version.get()?.['data_version'] },
    (message) => new Error(`sqliteJournalStore: ${message}`),
  )
}

/** How many descriptors of its shared memory this process has, under any of its names. */
function descriptorsOf(file: string): number {
  const main = identityOf(file)
  if (main === undefined) return 0
  const open = openFiles()
  const names = new Set(open.filter(({ identity }) => identity === main).map(({ fd }) => nameOf(fd) ?? file))
  const shared = new Set([file, ...names].map((name) => identityOf(`${name}-shm`)))
  return open.filter(({ identity }) => shared.has(identity)).length
}

interface OpenFile {
  readonly fd: string
  readonly identity: string
}

/** Empty where the system does not list them. */
function openFiles(): readonly OpenFile[] {
  const fds = listed('/proc/self/fd') ?? listed('/dev/fd') ?? []
  return fds.flatMap((fd) => {
    try {
      const { dev, ino } = fstatSync(Number(fd), { bigint: true })
      return [{ fd, identity: `${dev}:${ino}` }]
    } catch {
      // The one of the list itself is closed by now.
      return []
    }
  })
}

function listed(folder: string): readonly string[] | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return readdirSync(folder)
  } catch {
    return undefined
  }
}

/** By which name it was opened: SQLite names the shared memory of a hard link for that link. Only Linux knows. */
function nameOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

/** The device and the number of a file. `undefined`: there is none. */
export function identityOf(name: string): string | undefined {
  const stat = statSync(name, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

function messageFor(file: string): string {
  const libraries = loadedLibraries()
  const named = libraries.length === 0 ? '' : ` (${libraries.join(', ')})`
  return (
    `${file} is also open in another SQLite library of this process${named}, which does not see the locks of node:sqlite: ` +
    'committed rows would get lost. Use a file of its own here, or open this one in this process through node:sqlite alone'
  )
}

function loadedLibraries(): readonly string[] {
  const report: { excludeNetwork?: boolean; getReport(): unknown } = process.report
  const { excludeNetwork = false } = report
  // Otherwise the names of the peers of all connections would be looked up.
  report.excludeNetwork = true
  const made = report.getReport()
  report.excludeNetwork = excludeNetwork
  const shared = typeof made === 'object' && made !== null && 'sharedObjects' in made ? made.sharedObjects : []
  if (!Array.isArray(shared)) return []
  return shared.filter((name): name is string => typeof name === 'string' && LIBRARIES.test(name))
}
