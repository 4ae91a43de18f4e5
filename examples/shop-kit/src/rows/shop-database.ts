import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SCHEMA } from './schema.ts'
import { ShopRows } from './shop-rows.ts'

/** The shop's database: one SQLite file, which the journal keeps its own tables in as well. */
export interface ShopDatabase {
  readonly file: string
  /** For reading. */
  readonly rows: ShopRows
  /** One transaction, durable when it resolves. */
  write<Result>(work: (rows: ShopRows) => Result): Promise<Result>
  close(): void
}

/**
 * A file that is made now can be read by nobody else: it tells who has bought what. SQLite gives the files beside it the same
 * mode. One that is there is not opened for that: to close it would give back the locks of other connections of this process.
 */
export function openShopDatabase(file: string): ShopDatabase {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  database.exec(SCHEMA)
  const rows = new ShopRows(database)
  return {
    file,
    rows,
    write: async (work) => {
      await begin(database)
      try {
        const result = work(rows)
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
    close: () => database.close(),
  }
}

/** How long others may have the file. */
const PATIENCE_MS = 10_000
const BETWEEN_MS = 5
const SQLITE_BUSY = 5

/** The journal writes to the file as well, in this very process: who waits for it must leave it the event loop. */
async function begin(database: DatabaseSync): Promise<void> {
  for (let waited = 0; ; waited += BETWEEN_MS) {
    try {
      return database.exec('begin immediate')
    } catch (error) {
      if (!isBusy(error) || waited > PATIENCE_MS) throw error
    }
    await pause(BETWEEN_MS)
  }
}

/** The code of SQLite is in the lowest byte of what node:sqlite gives. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}
