import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client'
import { sqliteJournalStore } from '@tallystick/journal'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import pg from 'pg'
import { readArguments } from '../../../journal/src/command/arguments.ts'
import { run } from '../../../journal/src/command/run.ts'

const TABLES = ['intents', 'outcomes', 'stray_orders', 'gateway_answers', 'version'].map((name) => `journal_${name}`)
const GONE = 'TablesGoneError'

/** Where a shop has its journal, and the ways in which that is lost. */
export interface Place {
  open(): JournalStore<unknown>
  /** By name. Each resolves when it has happened. */
  readonly losses: Readonly<Record<string, () => Promise<void>>>
  /** Whether a journal that is opened now must refuse to work: its tables were there and are gone. */
  refuses(loss: string): boolean
  /** What an operator does then. */
  begin(): Promise<void>
}

export function sqlitePlace(file: string): Place {
  return {
    open: () => sqliteJournalStore({ file }) as JournalStore<unknown>,
    losses: {
      'tables dropped': async () => {
        const tool = new DatabaseSync(file, { timeout: 5000 })
        tool.exec(TABLES.map((table) => `drop table if exists ${table};`).join(' '))
        tool.close()
      },
      'file deleted': async () => {
        for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      },
    },
    refuses: (loss) => loss === 'tables dropped',
    begin: async () => void (await run(readArguments(['migrate', '--file', file, '--anew']))),
  }
}

/** A database of this server, whose name is at the end of the address. */
export function postgresPlace(url: string): Place {
  const schema = 'payments'
  const name = new URL(url).pathname.slice(1)
  const onServer = async (database: string, ...statements: readonly string[]) => {
    const address = new URL(url)
    address.pathname = database
    const client = new pg.Client({ connectionString: address.href })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    open: () => postgresJournalStore({ connectionString: url, schema }) as JournalStore<unknown>,
    losses: {
      'tables dropped': () => onServer(name, ...TABLES.map((table) => `drop table if exists ${schema}.${table}`)),
      'schema dropped': () => onServer(name, `drop schema if exists ${schema} cascade`),
      'database dropped': () => onServer('postgres', `drop database ${name} with (force)`, `create database ${name}`),
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
