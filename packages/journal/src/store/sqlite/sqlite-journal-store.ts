import type { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client/ports'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { identityOf, leaveOpen } from '@tallystick/durable/file-guard'
import { filledText } from '../../intents/endpoint.ts'
import { HandlerTimeoutError } from '../../runtime/concurrency.ts'
import { systemWaiting } from '../../runtime/system.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import { aloneOn, Connection, isHeld, openConnection, openedOr, whenFree } from './connection.ts'
import { type AnyLibrary, nodeSqlite, type SqliteDatabase, type SqliteLibrary } from './library.ts'
import { migrate } from './migrate.ts'
import { Writer } from './writer.ts'

/** The file of a journal. */
export interface SqliteJournalOptions {
  /**
   * The database file, best one of its own. It may hold the shop's tables as well, as ours have names of their own, but only if
   * this process opens it through node:sqlite alone: with Prisma, Drizzle, Knex or TypeORM on better-sqlite3 or libsql, two SQLite
   * libraries would not see each other's locks, and committed rows would get lost. The store refuses to work then.
   */
  readonly file: string
}

/**
 * A journal in a SQLite file, which several processes of one machine may share. Every write is durable when it resolves.
 *
 * The handler's transaction is a second connection to the same file, with an open transaction: what the handler writes there
 * takes effect together with the note that it ran. It must not end that transaction, nor wait for the journal.
 *
 * A new file can be read only by its owner. An existing one keeps its permissions.
 *
 * If another process has the file locked, the store waits for up to 20 s at its first use, without blocking the event loop.
 *
 * @throws TypeError for a wrong option; an Error that names the file when it cannot be opened, with what node:sqlite threw as
 *   `cause`, or when another SQLite library of this process has it open
 */
export function sqliteJournalStore(options: SqliteJournalOptions): JournalStore<DatabaseSync> {
  return storeInFile(readFile(options), nodeSqlite)
}

/** A journal in a file, on connections of a library. */
export function storeInFile<Transaction>(file: string, library: SqliteLibrary<Transaction>): JournalStore<Transaction> {
  let isClosed = false
  let opened = openedAtOnce(file, library)

  /** Waits while another process has the file locked. If it takes too long, the next caller tries again. */
  function ready(): Promise<Opened> {
    opened ??= whenFree(() => {
      if (isClosed) throw new Error(`${library.caller}: the store was closed before its file was free`)
      return open(file, library)
    }).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  return sqlJournalStore<Transaction>('sqlite', {
    // A second handler would only wait for the first, with all other writes behind it.
    maxDeliveries: 1,
    read: async (work) => (await ready()).connection.execute(work()),
    write: async (work) => (await ready()).writer.run((within) => within.execute(work())),
    within: async (transaction, work) => {
      const database = library.taken(transaction)
      requireFile(file, database)
      return new Connection(database, library).execute(work())
    },
    around: async (work, handler) => {
      const now = await ready()
      /** For the next handler: a new one if the last was closed, by the handler itself or because it did not end. */
      const current = async () => {
        const isLost = !now.handlers.database.isOpen && now.connection.database.isOpen
        if (isLost) now.handlers = await whenFree(() => openConnection(file, library))
        return now.handlers
      }
      return await now.writer.around(current, async (within) => {
        const isTaken = within.execute(work())
        if (isTaken) await unlessOverdue(within, () => handler(library.given(within.database)))
        return isTaken
      })
    },
    close: async () => {
      isClosed = true
      const now = await opened?.catch(() => undefined)
      if (now === undefined) return
      await now.writer.settled()
      const databases = [now.handlers, now.connection].map(({ database }) => database).filter(({ isOpen }) => isOpen)
      if (!now.writer.isAlone()) return leaveOpen(...databases)
      for (const database of databases) database.close()
    },
  })
}

interface Opened {
  readonly connection: Connection
  readonly writer: Writer
  handlers: Connection
}

/** `undefined`: another process has the file locked. */
function openedAtOnce(file: string, library: AnyLibrary): Promise<Opened> | undefined {
  try {
    return Promise.resolve(open(file, library))
  } catch (error) {
    if (isHeld(error)) return undefined
    throw error
  }
}

function open(file: string, library: AnyLibrary): Opened {
  const connection = openConnection(file, library)
  try {
    aloneOn(connection, systemWaiting.now)()
  } catch (error) {
    leaveOpen(connection.database)
    throw error
  }
  migrate(connection)
  const handlers = openedOr(connection, () => openConnection(file, library))
  return { connection, writer: new Writer(connection, systemWaiting), handlers }
}

/** Closes the connection of a handler that did not end: it may go on some day, and must not write in another's transaction. */
async function unlessOverdue({ database }: Connection, handler: () => void | Promise<void>): Promise<void> {
  try {
    await handler()
  } catch (error) {
    if (error instanceof HandlerTimeoutError) database.close()
    throw error
  }
}

/** An intent in the journal of another file would be sent by nobody, and the key could be paid again here. */
function requireFile(file: string, database: SqliteDatabase): void {
  const [given, own] = [database.location(), identityOf(file)]
  if (own === undefined || (given !== null && identityOf(given) === own)) return
  throw new TypeError(
    `The transaction is of ${given ?? 'a database in memory'}, but the journal is in ${file}: give one of that`,
  )
}

const KINDS: Validators<SqliteJournalOptions> = { file: validator.required(filledText('/var/lib/shop/shop.db')) }

function readFile(options: SqliteJournalOptions): string {
  checkOptions('sqliteJournalStore', options, KINDS)
  const { file } = options
  if (file !== ':memory:') return file
  throw new TypeError(
    'sqliteJournalStore: file must be a file: two connections have no memory in common. memoryJournalStore keeps nothing',
  )
}
