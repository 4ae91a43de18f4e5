import { resolve } from 'node:path'
import type { GatewayOptions } from '../options.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import type { Store } from '../store/store.ts'
import type { Configuration } from './configuration.ts'
import { asConfigurationError, ConfigurationError } from './read-configuration.ts'

/**
 * Opens the store. If it cannot be used, above all because another gateway has the file, the operator is told by a
 * `ConfigurationError`. The packages of a database are loaded only if it is used.
 */
export async function storeOf(
  { store, allowPlainConnection }: Configuration,
  folder: string,
  { onError }: Pick<GatewayOptions, 'onError'>,
): Promise<Store> {
  if (store === 'memory') return memoryStore()
  try {
    if (!isPostgres(store)) return (await import('../sqlite.ts')).sqliteStore({ file: resolve(folder, store) })
    const { postgresStore } = await import('../postgres.ts')
    return await postgresStore({ connectionString: store, allowPlainConnection, onError: (error) => onError?.(error) })
  } catch (error) {
    throw isMissingPackage(error) ? new ConfigurationError(PACKAGES_MISSING) : asConfigurationError(error)
  }
}

const PACKAGES_MISSING = 'store: PostgreSQL needs two packages that are not installed: npm install pg pg-boss'

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

const POSTGRES_ADDRESS = 'postgres://USER@HOST/DATABASE'

/** What people write, in any case of letters, who do not mean a file of that name, and what they mean. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...of('memory for a store in memory', 'memory :memory: in-memory inmemory'),
  ...of(`${POSTGRES_ADDRESS} for PostgreSQL`, 'postgres postgresql pg'),
  ...of('the name of a database file, such as gateway.db, for SQLite', 'sqlite sqlite3'),
])

function of(meant: string, words: string): ReadonlyArray<readonly [word: string, meant: string]> {
  return words.split(' ').map((word) => [word, meant] as const)
}

/** Begins with a scheme, of more letters than a Windows drive has, or with a user at a host. */
const ADDRESS = /^[a-z][a-z\d+.-]+:|^[^/\\@]+@[^/\\]+\//i

/** Does not show the store: it may hold a password. */
const NO_ADDRESS = `store: is neither a PostgreSQL address like ${POSTGRES_ADDRESS} nor a file name: write a file name without sqlite: or file:, and with ./ before it if it looks like an address`

export function isPostgres(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store)
}

/** Where the orders are, for the log: the operator may have meant another folder. An address may hold a password: not shown. */
export function storeShown(store: string, folder: string): string {
  if (store === 'memory') return store
  return isPostgres(store) ? 'PostgreSQL' : resolve(folder, store)
}

/**
 * Refuses a store that is most likely a slip. It would make a file of that name, and payments would be stored where nobody
 * looks for them.
 *
 * @throws ConfigurationError that says what to write instead, and what to write for a file of that name
 */
export function requireMeantStore(store: string): void {
  if (store === 'memory' || isPostgres(store)) return
  const meant = MEANT.get(store.trim().toLowerCase())
  if (meant !== undefined) {
    throw new ConfigurationError(`store: write ${meant}, or ./${store} for a database file of that name`)
  }
  if (ADDRESS.test(store)) throw new ConfigurationError(NO_ADDRESS)
}
