import type { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client'
import { checkOptions, type Kinds, kind } from '@tallystick/core'
import { filledText } from '../filled-text.ts'
import { HandlerTimeoutError } from '../handler-timeout-error.ts'
import { systemWaiting } from '../rims/turns.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrate.ts'
import { openConnection } from './open-connection.ts'
import { Writer } from './writer.ts'

export interface SqliteJournalOptions {
  /** The database file. It may be the one that the shop keeps its own tables in: ours have names of their own. */
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
 * @throws TypeError for a wrong option; an Error that names the file when it cannot be opened, with what node:sqlite threw as
 *   `cause`
 */
export function sqliteJournalStore(options: SqliteJournalOptions): JournalStore<DatabaseSync> {
  const file = readFile(options)
  const connection = openConnection(file)
  migrate(connection)
  let handlers = openConnection(file)
  const writer = new Writer(connection, systemWaiting)

  /** The connection for the next handler: a new one if the last was closed, by the handler itself or because it did not end. */
  function forHandler(): Connection {
    if (!handlers.database.isOpen && connection.database.isOpen) handlers = openConnection(file)
    return handlers
  }

  return sqlJournalStore<DatabaseSync>('sqlite', {
    // A second handler would only wait for the first, with all other writes behind it.
    mostHandOvers: 1,
    read: async (work) => connection.perform(work()),
    write: (work) => writer.run((within) => within.perform(work())),
    within: async (transaction, work) => new Connection(transaction).perform(work()),
    around: (work, handler) =>
      writer.around(forHandler, async (within) => {
        const isTaken = within.perform(work())
        if (isTaken) await unlessOverdue(within, handler)
        return isTaken
      }),
    close: async () => {
      await writer.settled()
      for (const { database } of [handlers, connection]) if (database.isOpen) database.close()
    },
  })
}

/** Closes the connection of a handler that did not end: it may go on some day, and must not write in another's transaction. */
async function unlessOverdue(
  { database }: Connection,
  handler: (transaction: DatabaseSync) => void | Promise<void>,
): Promise<void> {
  try {
    await handler(database)
  } catch (error) {
    if (error instanceof HandlerTimeoutError) database.close()
    throw error
  }
}

const KINDS: Kinds<SqliteJournalOptions> = { file: kind.required(filledText('/var/lib/shop/shop.db')) }

function readFile(options: SqliteJournalOptions): string {
  checkOptions('sqliteJournalStore', options, KINDS)
  const { file } = options
  if (file !== ':memory:') return file
  throw new TypeError(
    'sqliteJournalStore: file must be a file: two connections have no memory in common. memoryJournalStore keeps nothing',
  )
}
