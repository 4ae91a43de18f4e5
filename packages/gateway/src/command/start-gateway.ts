import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Secret } from '@tallystick/core'
import { advancingClock } from '../clock.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { MerchantOptions } from '../merchants/merchants.ts'
import type { GatewayOptions } from '../options.ts'
import { systemClock } from '../rims/system.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { requireSameExponents } from '../store/same-exponents.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { requireSameKeys } from '../vault/key-checks.ts'
import { readVaultKeys, type VaultKeys } from '../vault/vault-keys.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { makeDurableFile } from './durable-file.ts'
import { isPostgres, requireMeantStore } from './meant-store.ts'

export interface Surroundings {
  /** The folder of the configuration: file names are relative to it. */
  readonly folder: string
  /** A new vault key file. */
  readonly newKeys: () => Secret
}

/**
 * Makes the gateway that a configuration describes. A store that it cannot be made on is let go of: others may use it, with
 * other keys.
 *
 * @throws ConfigurationError when a file that it names is missing or wrong
 * @throws TypeError that names a wrong setting
 */
export async function gatewayOf(
  configuration: Configuration & { readonly publicUrl: string },
  { folder, newKeys }: Surroundings,
  listeners: Pick<GatewayOptions, 'onAnswer' | 'onCallback' | 'onError'>,
): Promise<Gateway> {
  const { publicUrl, replyFormat, sandbox, allowRepeats, numericIds, maxConcurrentRequests } = configuration
  const { chaos, exponents, threeDsMethodWaitSeconds } = configuration
  if (chaos !== undefined && !sandbox) {
    throw new ConfigurationError('chaos: faults are for a sandbox alone; add --sandbox, or "sandbox": true')
  }
  requireMeantStore(configuration.store)
  const merchants = configuration.merchants.map((merchant, index) =>
    merchantOf(merchant, `merchants[${index}]`, folder),
  )
  const vaultKeys = vaultKeysOf(configuration, folder, newKeys)
  const store = await storeOf(configuration, folder, listeners)
  const options = { publicUrl, replyFormat, sandbox, allowRepeats, numericIds, maxConcurrentRequests, ...listeners }
  const clock = sandbox ? advancingClock(systemClock) : systemClock
  const profile = { exponents, threeDsMethodWaitSeconds }
  try {
    if (vaultKeys !== undefined) await requireSameKeys(vaultKeys, store)
    await requireSameExponents({ exponents }, store)
    return createGateway({ ...options, merchants, store, vaultKeys, clock, chaos, profile })
  } catch (error) {
    await store.close()
    throw explained(error)
  }
}

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

function readNamed(setting: string, file = '', folder: string): string {
  try {
    return readFileSync(resolve(folder, file), 'utf8')
  } catch (error) {
    throw new ConfigurationError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/**
 * A store that cannot be used, above all a file that another gateway has, is for the operator to see to. What a database
 * needs is loaded only for one.
 */
async function storeOf(
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
    throw isMissingPackage(error) ? new ConfigurationError(PACKAGES_MISSING) : explained(error)
  }
}

const PACKAGES_MISSING = 'store: PostgreSQL needs two packages that are not there: npm install pg pg-boss'

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

/** A program gives by other names what a configuration has as its store and in files. Any other failure is our mistake. */
function explained(error: unknown): unknown {
  if (error instanceof StoreError) return new ConfigurationError(`store: ${error.message}`)
  if (!(error instanceof TypeError)) return error
  const message = error.message
    .replace(/^connectionString:/, 'store:')
    .replace(/^merchants\[\d+\]\.publicKey(?=:)/, '$&File')
  return message === error.message ? error : new ConfigurationError(message)
}

/**
 * The keys of a store in a file are made with it, and never later: new ones open none of its cards, and a copy of them would
 * be taken for the right ones. Nobody but their owner may read them. Those of a store that many share are the same for all of
 * them, so none makes its own.
 */
function vaultKeysOf(
  { store, vaultKeyFile }: Configuration,
  folder: string,
  newKeys: () => Secret,
): VaultKeys | undefined {
  if (store === 'memory' && vaultKeyFile === undefined) return undefined
  if (isPostgres(store) && vaultKeyFile === undefined) throw new ConfigurationError(KEYS_MISSING)
  const file = vaultKeyFile ?? `${store}.keys`
  if (!isPostgres(store)) makeKeysOf(store, { file, isNamed: vaultKeyFile !== undefined }, folder, newKeys)
  const text = readNamed('vaultKeyFile', file, folder)
  try {
    return readVaultKeys(text)
  } catch (error) {
    throw new ConfigurationError(`vaultKeyFile: ${(error as Error).message}`)
  }
}

const KEYS_MISSING =
  'vaultKeyFile: every gateway on one PostgreSQL needs the same key file; make one with `tallystick-gateway keys FILE`'

/** Where nobody has named the file, it is the store that names a folder in which it cannot be made. */
function makeKeysOf(
  store: string,
  { file, isNamed }: { readonly file: string; readonly isNamed: boolean },
  folder: string,
  newKeys: () => Secret,
): void {
  if (existsSync(resolve(folder, file))) return
  if (store !== 'memory' && isWritten(resolve(folder, store))) {
    throw new ConfigurationError(
      `vaultKeyFile: ${file} is not there, and ${store} is: put the copy of its key file back, or name another store; new keys would open none of its cards`,
    )
  }
  try {
    makeDurableFile(resolve(folder, file), () => newKeys().reveal())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const setting = isNamed ? 'vaultKeyFile' : 'store'
    throw new ConfigurationError(`${setting}: ${file} cannot be written (${code}): is its folder there, and writable?`)
  }
}

/** An empty file may have been made for its rights. */
function isWritten(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size > 0
}
