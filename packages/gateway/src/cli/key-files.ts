import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Secret } from '@tallystick/core'
import { keyBits } from '@tallystick/signing/internal'
import { LEAST_KEY_BITS } from '../merchants/merchants.ts'
import { OPERATOR_KEY } from '../requests/operator-access.ts'
import { randomIds } from '../runtime/system.ts'
import { readVaultKeys, type VaultKeys } from '../vault/keys.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError, readNamed } from './read-configuration.ts'
import { isPostgres } from './store-setting.ts'

/**
 * Reads the vault keys. Those of a database file are made with it and never later: new keys would open none of its cards, and
 * a backup of them would be mistaken for the right ones. Only their owner may read the file. Gateways that share a store share
 * its keys, so none of them makes its own.
 */
export function vaultKeysOf(
  { store, vaultKeyFile }: Configuration,
  folder: string,
  newKeys: () => Secret,
): VaultKeys | undefined {
  if (store === 'memory' && vaultKeyFile === undefined) return undefined
  if (isPostgres(store) && vaultKeyFile === undefined) throw new ConfigurationError(KEYS_MISSING)
  const file = vaultKeyFile ?? `${store}.keys`
  if (!isPostgres(store)) makeKeysOf(store, { file, isNamed: vaultKeyFile !== undefined }, folder, newKeys)
  requirePrivate('vaultKeyFile', resolve(folder, file))
  const text = readNamed('vaultKeyFile', file, folder)
  try {
    return readVaultKeys(text)
  } catch (error) {
    throw new ConfigurationError(`vaultKeyFile: ${(error as Error).message}`)
  }
}

const KEYS_MISSING =
  'vaultKeyFile: every gateway on one PostgreSQL needs the same key file; make one with `tallystick-gateway keys FILE`'

/** Makes the key file of a new store. If it cannot and nobody named the file, the store's name is to blame: it has the folder. */
function makeKeysOf(
  store: string,
  { file, isNamed }: { readonly file: string; readonly isNamed: boolean },
  folder: string,
  newKeys: () => Secret,
): void {
  if (existsSync(resolve(folder, file))) return
  if (store !== 'memory' && isWritten(resolve(folder, store))) {
    throw new ConfigurationError(
      `vaultKeyFile: ${file} does not exist, but ${store} does: restore its key file from the copy, or name another store; new keys would open none of its cards`,
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

/** Whether the file has content: someone may have made an empty one to set its permissions. */
function isWritten(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size > 0
}

/** In the folder of the configuration. */
export const OPERATOR_KEY_FILE = 'operator.key'

interface OperatorKey {
  /** `undefined`: there is none, and nobody may send errands. */
  readonly key: Secret | undefined
  /** Where it is, for the log; or why there is none. */
  readonly place: string
}

interface KeyPlaces {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The key of those who may have the running gateway do something: from the environment, or from a file that is made at the first
 * start. A command line would show it to every user of the machine.
 *
 * @param make a new key; absent: the file has to be there
 * @throws ConfigurationError if it is too short, or others may read its file
 */
export function operatorKeyOf(
  { operatorKeyFile }: Pick<Configuration, 'operatorKeyFile'>,
  { folder, environment }: KeyPlaces,
  make?: () => string,
): OperatorKey {
  const given = environment[OPERATOR_KEY]?.trim() ?? ''
  if (given !== '') return { key: strong(given, OPERATOR_KEY), place: OPERATOR_KEY }
  const name = operatorKeyFile ?? OPERATOR_KEY_FILE
  const file = resolve(folder, name)
  if (!existsSync(file)) {
    const problem = make === undefined ? 'does not exist' : problemOfMaking(file, make)
    if (problem !== undefined && operatorKeyFile === undefined) return { key: undefined, place: `${file} ${problem}` }
    if (problem !== undefined) throw new ConfigurationError(`operatorKeyFile: ${name} ${problem}`)
  }
  requirePrivate('operatorKeyFile', file)
  return { key: strong(readNamed('operatorKeyFile', file, folder).trim(), name), place: file }
}

function problemOfMaking(file: string, make: () => string): string | undefined {
  try {
    makeDurableFile(file, () => `${make()}\n`)
    return undefined
  } catch (error) {
    return `cannot be written (${(error as NodeJS.ErrnoException).code})`
  }
}

function strong(key: string, where: string): Secret {
  if (keyBits(key) >= LEAST_KEY_BITS && /^[\x21-\x7e]+$/.test(key)) return new Secret(key)
  throw new ConfigurationError(
    `${where}: is no operator key: it needs ${LEAST_KEY_BITS} bits, in ASCII; \`tallystick-gateway key\` makes one`,
  )
}

/** Who besides its owner may do something with a file. */
interface Openness {
  readonly mode: string
  readonly isReadByGroup: boolean
  readonly isReadByOthers: boolean
  readonly isWrittenByOthers: boolean
}

/** Windows has no such bits: its access lists are not looked at. A file that is not there is open to nobody. */
export function opennessOf(file: string): Openness | undefined {
  const mode = process.platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return undefined
  return {
    mode: (mode & 0o777).toString(8).padStart(4, '0'),
    isReadByGroup: (mode & 0o040) !== 0,
    isReadByOthers: (mode & 0o004) !== 0,
    isWrittenByOthers: (mode & 0o022) !== 0,
  }
}

/**
 * Refuses a file of keys that every user of the machine may read, or that others may write. Its group may read it: that is how
 * orchestrators give a container its secrets.
 *
 * @throws ConfigurationError that names the setting, and says what to do
 */
function requirePrivate(setting: string, file: string): void {
  const open = opennessOf(file)
  if (open === undefined || !(open.isReadByOthers || open.isWrittenByOthers)) return
  const may = open.isWrittenByOthers ? 'others may write it' : 'every user of this machine may read it'
  throw new ConfigurationError(`${setting}: ${file} has mode ${open.mode}, so ${may}: chmod 600 ${file}`)
}

/**
 * Makes a file that only its owner may read, unless one of this name exists. When this returns the file and its name are on
 * the disk, and nobody ever reads half of it: what is sealed under a key must not outlive the key.
 */
export function makeDurableFile(file: string, text: () => string): void {
  if (existsSync(file)) return
  // Nobody can guess the name, and `wx` follows no link that lies in wait there.
  const draft = `${file}.${randomIds.serialNumber()}.new`
  try {
    writeThrough(draft, text())
    nameUnlessTaken(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
}

/** Another process may have made the file first. */
function nameUnlessTaken(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function writeThrough(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Windows cannot open folders, and writes names through without being asked. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
