import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Secret } from '@tallystick/core'
import { readVaultKeys, type VaultKeys } from '../vault/vault-keys.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { makeDurableFile } from './durable-file.ts'
import { isPostgres } from './meant-store.ts'
import { readNamed } from './read-named.ts'

/**
 * The keys of a store in a file are made with it, and never later: new ones open none of its cards, and a copy of them would
 * be taken for the right ones. Nobody but their owner may read them. Those of a store that many share are the same for all of
 * them, so none makes its own.
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
