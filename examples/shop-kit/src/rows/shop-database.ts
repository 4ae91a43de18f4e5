import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SCHEMA } from './schema.ts'
import { ShopRows } from './shop-rows.ts'

/** The shop's database: one SQLite file, in which the journal has its tables as well. */
export interface ShopDatabase {
  readonly file: string
  /** For reading. */
  readonly rows: ShopRows
  /** Runs one transaction, which is durable when the promise resolves. */
  write<Result>(work: (rows: ShopRows) => Result): Promise<Result>
  close(): void
}

/**
 * Creates a new file so that no other user can read it: it says who has bought what. SQLite gives the files beside it the same
 * mode. An existing file is not opened for that: closing it would release the locks of this process's other connections.
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
    write: (work) => whenFree(() => inTransaction(database, () => work(rows))),
    close: () => database.close(),
  }
}

/** How long another connection may hold the file. */
const PATIENCE_MS = 10_000
const BETWEEN_MS = 5
const SQLITE_BUSY = 5

/** The journal writes to the file in this process as well. A blocking wait would keep it from ever finishing. */
async function whenFree<Result>(run: () => Result): Promise<Result> {
  for (let waited = 0; ; waited += BETWEEN_MS) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || waited > PATIENCE_MS) throw error
    }
    await pause(BETWEEN_MS)
  }
}

/** Begins and ends in one go: the connection has one transaction at a time, and another request may write next. */
function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/** The lowest byte of the `errcode` of node:sqlite is SQLite's primary code. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}
