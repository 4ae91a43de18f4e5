import type { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client'
import { randomFraction } from '../rims/system.ts'
import { sqlJournalStore } from '../statements/sql-journal-store.ts'
import { Connection, openConnection } from './connection.ts'
import { migrate } from './migrate.ts'
import { Writer } from './writer.ts'

export interface SqliteJournalOptions {
  /** The database file. It may be the one that the shop keeps its own tables in: ours have names of their own. */
  readonly file: string
}

/**
 * A journal in a SQLite file, which several processes of one machine may share. Every write is durable when it resolves.
 *
 * The handler's transaction is a connection of its own to the same file, in an open transaction: what it writes there takes
 * effect together with the note that it ran. It must not end that transaction, nor wait for the journal.
 */
export function sqliteJournalStore({ file }: SqliteJournalOptions): JournalStore<DatabaseSync> {
  const connection = openConnection(file)
  migrate(connection)
  const handlers = openConnection(file)
  const writer = new Writer(connection, randomFraction)

  return sqlJournalStore<DatabaseSync>('sqlite', {
    read: async (work) => connection.perform(work()),
    write: (work) => writer.run((within) => within.perform(work())),
    within: async (transaction, work) => new Connection(transaction).perform(work()),
    around: (work, handler) =>
      writer.around(handlers, async () => {
        const isTaken = handlers.perform(work())
        if (isTaken) await handler(handlers.database)
        return isTaken
      }),
    close: async () => {
      await writer.settled()
      handlers.database.close()
      connection.database.close()
    },
  })
}
