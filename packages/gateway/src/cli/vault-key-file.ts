import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Secret } from '@tallystick/core'
import { readVaultKeys, type VaultKeys } from '../vault/vault-keys.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { makeDurableFile } from './durable-file.ts'
import { requirePrivate } from './private-file.ts'
import { readNamed } from './read-named.ts'
import { isPostgres } from './requested-store.ts'

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
