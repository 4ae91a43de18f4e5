import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { newVaultKeys, readVaultKeys, type VaultKeys } from '@tallystick/gateway'

/** The keys that encrypt stored cards: created with the store, and kept in a file beside it as long as it exists. */
export function vaultKeysIn(file: string): VaultKeys {
  if (!existsSync(file)) {
    const keys = newVaultKeys((bytes) => crypto.getRandomValues(bytes), 'example')
    writeFileSync(file, keys.reveal(), { mode: 0o600 })
  }
  return readVaultKeys(readFileSync(file, 'utf8'))
}
