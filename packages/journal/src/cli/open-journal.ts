import { existsSync } from 'node:fs'
import { whenFree } from '../store/sqlite/connection.ts'
import { hasJournal } from '../store/sqlite/migrate.ts'
import { sqliteJournalStore } from '../store/sqlite/sqlite-journal-store.ts'
import type { Place } from './arguments.ts'
import type { OpenedStore, Server } from './database-server.ts'

export type ServerPlace = Exclude<Place, { readonly dialect: 'sqlite' }>

/**
 * Opens a journal that is there, beside the shop's processes, and closes it after the work.
 *
 * @throws Error if there is none: a misspelt name must not create an empty journal, whose report would show that all is well
 */
export async function withJournal<Result>(
  place: Place,
  work: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  const store = await opened(place)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function opened(place: Place): Promise<OpenedStore> {
  if (place.dialect === 'sqlite') {
    if (!existsSync(place.file)) throw new Error(`there is no file ${place.file}; \`migrate\` makes one`)
    if (!(await whenFree(() => hasJournal(place.file)))) throw noJournalIn(place.file)
    return sqliteJournalStore({ file: place.file })
  }
  const { schema } = place
  const { href } = place.url
  const { journalIn, openStore } = await serverOf(place)
  const sought = await journalIn(href, { schema })
  if (!sought.isThere) throw noJournalIn(`schema ${sought.schema} of ${nameOf(place)}`, sought.others)
  return openStore(href, { schema })
}

function noJournalIn(name: string, others: readonly string[] = []): Error {
  const there =
    others.length === 0 ? '`migrate` makes one' : `there is one in ${others.join(' and in ')}: name it by --schema`
  return new Error(`there is no journal in ${name}; ${there}`)
}

/** Without the user and the password. */
export function nameOf(place: Place): string {
  return place.dialect === 'sqlite' ? place.file : `${place.url.host}${place.url.pathname}`
}

/**
 * Loads what speaks to a server only for a command that needs it: a shop with a SQLite file needs no driver.
 *
 * @throws Error that says what to install if that is missing
 */
export async function serverOf({ dialect }: ServerPlace): Promise<Server> {
  const { server } =
    dialect === 'mysql'
      ? await withDriver('mysql2', () => import('./on-mysql.ts'))
      : await withDriver('pg', () => import('./on-postgres.ts'))
  return server
}

/** @throws Error that says what to install if that is missing */
export async function withDriver<Module>(driver: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    throw isMissing(error) ? new Error(`The database needs a package that is not there: npm install ${driver}`) : error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
