import { fstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'

/**
 * Checks that the names of a database's files still lead to the files that it has open. If somebody has removed or replaced one,
 * SQLite goes on writing all the same, to a file that is gone once it is closed. A file that was not there at the beginning is
 * not missed later.
 *
 * @param file as SQLite knows it: a full path without links, which holds even if the process changes its directory
 * @param failure gives the error for the name of the file that is gone
 * @returns a check that throws it
 */
export function fileInPlace(file: string, failure: (name: string) => Error): () => void {
  const opened = [file, `${file}-wal`].map((name) => ({ name, identity: presentAt(name) }))
  return () => {
    const gone = opened.find(({ name, identity }) => identity !== undefined && identity !== presentAt(name))
    if (gone !== undefined) throw failure(gone.name)
  }
}

/** The device and the number of a file, which on Windows are exact only as a `bigint`. `undefined`: there is none. */
export function identityOf(name: string): string | undefined {
  const stat = statSync(name, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/** What cannot be reached is gone as well. */
function presentAt(name: string): string | undefined {
  try {
    return identityOf(name)
  } catch {
    return undefined
  }
}

/** The check must not take more than this part of the time, unless there is a reason for it. */
const MOST_OF_THE_TIME = 0.02
/** Libraries that bring a SQLite of their own, by the names of their binaries. */
const LIBRARIES = /sqlite|libsql|query_engine|turso/i

export interface GuardedFile {
  /** As SQLite knows it. */
  readonly file: string
  /** How many descriptors our own library has: 1, or 0 if it holds the file for itself. */
  readonly own: 0 | 1
  /** What our own library is called. Default: `node:sqlite`. */
  readonly library?: string
  /** Milliseconds of a clock that cannot be set. */
  readonly now: () => number
  /** Changes when others have written to the file: then it is checked at once. Default: it never does. */
  readonly version?: () => unknown
}

/**
 * Finds out whether another SQLite library of this process has the file. Locks of POSIX belong to a process: two libraries in
 * one process do not see each other's, overwrite each other's pages, and committed rows are lost without an error.
 *
 * All connections of one library share one descriptor of the file's shared memory (`-shm`), however many there are and in
 * whatever thread. Another library opens one of its own when it first reads the file. A library that has not read it yet, or
 * keeps it in another mode than WAL, is not seen; nor is any where the system does not list the descriptors of a process. On
 * Windows the locks belong to a handle, so that there is nothing to find.
 *
 * @returns a check that throws what `failure` gives
 * @see {@link https://www.sqlite.org/howtocorrupt.html} section 2.2.1
 */
export function noOtherLibrary(
  { file, own, library = 'node:sqlite', now, version = () => undefined }: GuardedFile,
  failure: (message: string) => Error,
): () => void {
  let nextAt = Number.NEGATIVE_INFINITY
  let seen: unknown
  return () => {
    const begun = now()
    const present = version()
    if (begun < nextAt && present === seen) return
    if (descriptorsOf(file) > own) throw failure(messageFor(file, library))
    const ended = now()
    nextAt = ended + (ended - begun) / MOST_OF_THE_TIME
    seen = present
  }
}

/** Only what closes the database reads it. */
const left = new Set<object>()

/**
 * Keeps databases open for as long as the process lives, because closing the last connection of our library would remove the log
 * of the file while the other library goes on writing to it.
 */
export function leaveOpen(...databases: readonly object[]): void {
  for (const database of databases) left.add(database)
}

export function closeUnlessLeft(database: { close(): void }): void {
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

function messageFor(file: string, library: string): string {
  const libraries = loadedLibraries()
  const named = libraries.length === 0 ? '' : ` (${libraries.join(', ')})`
  return (
    `${file} is also open in another SQLite library of this process${named}, which does not see the locks of ${library}: ` +
    `committed rows would get lost. Use a file of its own here, or open this one in this process through ${library} alone`
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
