import { resolve } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'

const POSTGRES_ADDRESS = 'postgres://USER@HOST/DATABASE'

/** What people write who mean something else than a file of that name, in any capitals, and what they mean. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...of('memory for a store in memory', 'memory :memory: in-memory inmemory'),
  ...of(`${POSTGRES_ADDRESS} for PostgreSQL`, 'postgres postgresql pg'),
  ...of('the name of a database file, such as gateway.db, for SQLite', 'sqlite sqlite3'),
])

function of(meant: string, words: string): ReadonlyArray<readonly [word: string, meant: string]> {
  return words.split(' ').map((word) => [word, meant] as const)
}

/** With a scheme of more letters than a drive of Windows has, or with a user at a host. */
const ADDRESS = /^[a-z][a-z\d+.-]+:|^[^/\\@]+@[^/\\]+\//i

/** It is not shown: it may hold a password. */
const NO_ADDRESS = `store: is neither an address of PostgreSQL, which is like ${POSTGRES_ADDRESS}, nor the name of a file: write that without sqlite: or file:, and with ./ before a name that looks like an address`

export function isPostgres(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store)
}

/** Where orders are, for the log: a name may have meant a file in another folder. An address may hold a password, and is not shown. */
export function storeShown(store: string, folder: string): string {
  if (store === 'memory') return store
  return isPostgres(store) ? 'PostgreSQL' : resolve(folder, store)
}

/**
 * A slip in what the store is would make a file of that name: payments would be kept where nobody looks for them.
 *
 * @throws ConfigurationError that says what to write, also for a file of that name
 */
export function requireMeantStore(store: string): void {
  if (store === 'memory' || isPostgres(store)) return
  const meant = MEANT.get(store.trim().toLowerCase())
  if (meant !== undefined) {
    throw new ConfigurationError(`store: write ${meant}, or ./${store} for a database file of that name`)
  }
  if (ADDRESS.test(store)) throw new ConfigurationError(NO_ADDRESS)
}
