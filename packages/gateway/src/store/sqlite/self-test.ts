import { isDeepStrictEqual } from 'node:util'
import { SQLITE, sqliteCode } from '@tallystick/durable/sqlite'
import type { OrderCache } from '../sql/order-cache.ts'
import { NAMESAKE, ORPHAN, OVERDRAWN, SAMPLE } from '../sql/self-test-samples.ts'
import { StoreError } from '../store-error.ts'
import type { Database, SqlValue } from './database.ts'
import { type StoreTables, writeChange } from './write-change.ts'

/** The largest file, in pages, that is read through at start: a larger one would delay it. */
const MOST_PAGES_CHECKED = 8_192

interface SelfTestSubject {
  readonly file: string
  readonly database: Database
  readonly tables: StoreTables
  readonly cache: OrderCache
}

/**
 * Checks that the file is sound and keeps what is written to it, before money depends on it.
 *
 * @throws StoreError `UNSOUND`, with what is wrong
 */
export function selfTest(subject: SelfTestSubject): void {
  const wrong = wrongSetting(subject.database) ?? damage(subject.database) ?? wrongWriting(subject)
  if (wrong !== undefined) throw new StoreError('UNSOUND', `${subject.file}: ${wrong}`)
}

const SETTINGS: Readonly<Record<string, SqlValue>> = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  locking_mode: 'exclusive',
}

function wrongSetting(database: Database): string | undefined {
  const wrong = Object.entries(SETTINGS).find(([name, value]) => pragma(database, name) !== value)
  return wrong && `${wrong[0]} is ${String(pragma(database, wrong[0]))}, not ${String(wrong[1])}`
}

/** Only the schema of a large file is checked; each page of the log has a checksum of its own. */
function damage(database: Database): string | undefined {
  const isSmall = Number(pragma(database, 'page_count')) <= MOST_PAGES_CHECKED
  const found = pragma(database, isSmall ? 'quick_check' : 'quick_check(sqlite_schema)')
  return found === 'ok' ? undefined : `is damaged (${String(found)}): restore a copy`
}

function pragma(database: Database, name: string): SqlValue | undefined {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
}

/** Writes, reads, breaks each kind of constraint, and rolls all of it back. */
function wrongWriting({ database, tables, cache }: SelfTestSubject): string | undefined {
  database.exec('BEGIN IMMEDIATE')
  try {
    writeChange({ order: { order: SAMPLE, basedOn: 'nothing' } }, 0, tables)
    cache.clear()
    if (!isDeepStrictEqual(tables.orders.get(SAMPLE.orderId), SAMPLE)) return 'does not give back what was written'
    if (!isRefused(() => void tables.orders.write({ order: OVERDRAWN, basedOn: 1 }, 0)))
      return 'lets an order be overdrawn'
    if (!isRefused(() => tables.postings.write(ORPHAN, { seq: 0, position: 0 }))) return 'books money of no operation'
    if (tables.orders.write({ order: NAMESAKE, basedOn: 'nothing' }, 0) === undefined) return 'takes an order twice'
    return undefined
  } finally {
    cache.clear()
    database.exec('ROLLBACK')
  }
}

function isRefused(write: () => void): boolean {
  try {
    write()
    return false
  } catch (error) {
    if (sqliteCode(error) === SQLITE.CONSTRAINT) return true
    throw error
  }
}
