import { resolve } from 'node:path'
import { Secret } from '@tallystick/core'
import { simulator } from '../acquirer/simulator.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { MerchantOptions } from '../merchants/merchants.ts'
import type { GatewayOptions } from '../options.ts'
import { advancingClock } from '../runtime/clock.ts'
import { systemClock } from '../runtime/system.ts'
import { requireSameExponents } from '../store/check-change.ts'
import { requireSameKeys } from '../store/key-checks.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import type { Store } from '../store/store.ts'
import type { Configuration } from './configuration.ts'
import { vaultKeysOf } from './key-files.ts'
import { asConfigurationError, ConfigurationError, readNamed } from './read-configuration.ts'
import { isPostgres } from './store-setting.ts'

interface Surroundings {
  /** The folder of the configuration: file names are relative to it. */
  readonly folder: string
  /** The text of a new vault key file. */
  readonly newKeys: () => Secret
}

/**
 * Makes the gateway that a configuration describes. If it cannot be made on the store, the store is closed, so that others may
 * use it, with other keys.
 *
 * @throws ConfigurationError when a file that it names is missing or wrong
 * @throws TypeError that names a wrong setting
 */
export async function gatewayOf(
  configuration: Configuration & { readonly publicUrl: string },
  { folder, newKeys }: Surroundings,
  listeners: Pick<GatewayOptions, 'onAnswer' | 'onCallback' | 'onDecision' | 'onRecord' | 'onLimit' | 'onError'>,
): Promise<Gateway> {
  const { publicUrl, replyFormat, sandbox, allowRepeats, numericIds, maxConcurrentRequests } = configuration
  const { faults, exponents, threeDsMethodWaitSeconds, trustedProxies } = configuration
  if (faults !== undefined && !sandbox) {
    throw new ConfigurationError('faults: for a sandbox alone; add --sandbox, or "sandbox": true')
  }
  if (configuration.acquirer === undefined && !sandbox) throw new ConfigurationError(BANK_MISSING)
  requireMeantStore(configuration.store)
  const merchants = configuration.merchants.map((merchant, index) =>
    merchantOf(merchant, `merchants[${index}]`, folder),
  )
  const vaultKeys = vaultKeysOf(configuration, folder, newKeys)
  const store = await storeOf(configuration, folder, listeners)
  const {
    maxConcurrentRequestsPerMerchant,
    maxTriesPerCard,
    maxTriesPerAddress,
    maxCallbackConnections,
    maxCallbackConnectionsPerMerchant,
  } = configuration
  const limits = {
    maxConcurrentRequests,
    maxConcurrentRequestsPerMerchant,
    maxTriesPerCard,
    maxTriesPerAddress,
    maxCallbackConnections,
    maxCallbackConnectionsPerMerchant,
  }
  const options = { publicUrl, replyFormat, sandbox, allowRepeats, numericIds, trustedProxies, ...limits, ...listeners }
  const clock = sandbox ? advancingClock(systemClock) : systemClock
  const profile = { exponents, threeDsMethodWaitSeconds }
  try {
    if (vaultKeys !== undefined) await requireSameKeys(vaultKeys, store)
    await requireSameExponents({ exponents }, store)
    return createGateway({ ...options, merchants, store, vaultKeys, clock, faults, profile, acquirer: simulator() })
  } catch (error) {
    await store.close()
    throw asConfigurationError(error)
  }
}

const BANK_MISSING =
  'acquirer: is not given, and this command has no bank: add --sandbox for tests; or "acquirer": "simulator" if payments shall ' +
  'be approved that move no money; for a bank, run createGateway in a program'

function merchantOf(
  { controlKey, controlKeyFile, publicKeyFile, ...merchant }: Configuration['merchants'][number],
  name: string,
  folder: string,
): MerchantOptions {
  if ((controlKey === undefined) === (controlKeyFile === undefined)) {
    throw new ConfigurationError(`${name}: give it either a controlKey or a controlKeyFile`)
  }
  const key = controlKey ?? keyIn(controlKeyFile, `${name}.controlKeyFile`, folder)
  const publicKey = publicKeyFile === undefined ? undefined : readNamed(`${name}.publicKeyFile`, publicKeyFile, folder)
  return { ...merchant, controlKey: new Secret(key), publicKey }
}

function keyIn(file: string | undefined, setting: string, folder: string): string {
  const key = readNamed(setting, file, folder).trim()
  if (key === '') throw new ConfigurationError(`${setting}: ${file} is empty`)
  return key
}

/**
 * Opens the store. If it cannot be used, above all because another gateway has the file, the operator is told by a
 * `ConfigurationError`. The packages of a database are loaded only if it is used.
 */
async function storeOf(
  { store, allowPlainConnection }: Configuration,
  folder: string,
  { onError }: Pick<GatewayOptions, 'onError'>,
): Promise<Store> {
  if (store === 'memory') return memoryStore()
  try {
    if (!isPostgres(store)) return (await import('../sqlite.ts')).sqliteStore({ file: resolve(folder, store) })
    const { postgresStore } = await import('../postgres.ts')
    const shared = postgresStore({
      connectionString: store,
      allowPlainConnection,
      onError: (error) => onError?.(error),
    })
    await shared.ready()
    return shared
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

/**
 * Refuses a store that is most likely a slip. It would make a file of that name, and payments would be stored where nobody
 * looks for them.
 *
 * @throws ConfigurationError that says what to write instead, and what to write for a file of that name
 */
function requireMeantStore(store: string): void {
  if (store === 'memory' || isPostgres(store)) return
  const meant = MEANT.get(store.trim().toLowerCase())
  if (meant !== undefined) {
    throw new ConfigurationError(`store: write ${meant}, or ./${store} for a database file of that name`)
  }
  if (ADDRESS.test(store)) throw new ConfigurationError(NO_ADDRESS)
}
