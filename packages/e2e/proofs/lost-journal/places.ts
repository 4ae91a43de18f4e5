import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client/ports'
import { sqliteJournalStore } from '@tallystick/journal'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import pg from 'pg'
import { readArguments } from '../../../journal/src/cli/arguments.ts'
import { run } from '../../../journal/src/cli/run.ts'

const TABLES = ['intents', 'outcomes', 'orphan_orders', 'gateway_answers', 'version'].map((name) => `journal_${name}`)
const GONE = 'TablesGoneError'

/** Where a shop has its journal, and the ways in which that is lost. */
export interface Place {
  open(): JournalStore<unknown>
  /** By name. Each resolves when it has happened. */
  readonly losses: Readonly<Record<string, () => Promise<void>>>
  /** Makes a copy of the journal as it is now, while its shop goes on. */
  copy(): Promise<void>
  /** Puts the last copy in the place of the journal, whose shop has stopped. `false`: there is none. */
  restore(): Promise<boolean>
  /** Whether a journal that is opened now must refuse to work: its tables were there and are gone. */
  refuses(loss: string): boolean
  /** What an operator does then. */
  begin(): Promise<void>
}

export function sqlitePlace(file: string): Place {
  const copied = `${file}.copy`
  const remove = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  }
  return {
    open: () => sqliteJournalStore({ file }) as JournalStore<unknown>,
    losses: {
      'tables dropped': async () => {
        const tool = new DatabaseSync(file, { timeout: 5000 })
        tool.exec(TABLES.map((table) => `drop table if exists ${table};`).join(' '))
        tool.close()
      },
      'file deleted': async () => remove(),
    },
    copy: async () => {
      rmSync(copied, { force: true })
      const tool = new DatabaseSync(file, { timeout: 5000 })
      tool.prepare('vacuum into ?').run(copied)
      tool.close()
    },
    restore: async () => {
      if (!existsSync(copied)) return false
      remove()
      copyFileSync(copied, file)
      return true
    },
    refuses: (loss) => loss === 'tables dropped',
    begin: async () => void (await run(readArguments(['migrate', '--file', file, '--anew']))),
  }
}

/** A database of this server, whose name is at the end of the address. */
export function postgresPlace(url: string): Place {
  const [schema, copied] = ['payments', 'payments_copy']
  let isCopied = false
  const name = new URL(url).pathname.slice(1)
  const onServer = async (database: string, ...statements: readonly string[]): Promise<void> => {
    const address = new URL(url)
    address.pathname = database
    const client = new pg.Client({ connectionString: address.href })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } catch (error) {
      // The server chose it to end a deadlock with a transaction of the shop.
      if (!(error instanceof pg.DatabaseError && error.code === '40P01')) throw error
      await onServer(database, ...statements)
    } finally {
      await client.end()
    }
  }
  return {
    open: () => postgresJournalStore({ connectionString: url, schema }) as JournalStore<unknown>,
    losses: {
      'tables dropped': () => onServer(name, ...TABLES.map((table) => `drop table if exists ${schema}.${table}`)),
      'schema dropped': () => onServer(name, `drop schema if exists ${schema} cascade`),
      'database dropped': async () => {
        isCopied = false
        await onServer('postgres', `drop database ${name} with (force)`, `create database ${name}`)
      },
    },
    copy: async () => {
      const tables = TABLES.map((table) => `create table ${copied}.${table} as table ${schema}.${table}`)
      const anew = [`drop schema if exists ${copied} cascade`, `create schema ${copied}`]
      await onServer(name, 'begin isolation level repeatable read', ...anew, ...tables, 'commit')
      isCopied = true
    },
    restore: async () => {
      if (!isCopied) return false
      const rows = TABLES.map((table) => `insert into ${schema}.${table} table ${copied}.${table}`)
      const tables = TABLES.map((table) => `${schema}.${table}`).join(', ')
      await onServer(name, 'begin', `truncate ${tables}`, ...rows, 'commit')
      return true
    },
    refuses: (loss) => loss === 'tables dropped',
    begin: async () => void (await run(readArguments(['migrate', '--store', url, '--schema', schema, '--anew']))),
  }
}

/** Whether a store refuses to work because its tables are gone. */
export async function isRefused(place: Place): Promise<boolean> {
  try {
    const store = place.open()
    try {
      await store.counts()
      return false
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof Error && error.name === GONE) return true
    throw error
  }
}
