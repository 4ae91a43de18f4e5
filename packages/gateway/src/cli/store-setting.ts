import { resolve } from 'node:path'
import type { GatewayOptions } from '../options.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import type { Store } from '../store/store.ts'
import { asConfigurationError } from './as-configuration-error.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { isPostgres } from './requested-store.ts'

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
    if (!isPostgres(store)) return (await import('../sqlite.ts')).sqliteStore(resolve(folder, store))
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
