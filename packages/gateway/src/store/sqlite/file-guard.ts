import { fstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { realTime } from '../../runtime/system.ts'
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
function fileOf(database: Database): string {
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

interface Looked {
  readonly file: string
  readonly own: 0 | 1
  readonly now: () => number
  readonly version: () => unknown
}

/** The check for a database that this process has for itself: then a descriptor of shared memory is another library's. */
export function aloneOn(database: Database): () => void {
  return noOtherLibrary({ file: fileOf(database), own: 0, now: realTime.now, version: () => undefined }, (message) => {
    left.add(database)
    return new StoreError('IN_USE', message)
  })
}

/** Databases that stay open, because closing them would remove the log of the file while another library writes to it. */
const left = new Set<Database>()

export function closeUnlessLeft(database: Database): void {
  if (!left.has(database)) database.close()
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
