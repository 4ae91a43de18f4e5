import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { newVaultKeys, readVaultKeys, type VaultKeys } from '@tallystick/gateway'

/** The keys that stored cards are sealed under: made with the store, and kept beside it for as long. */
export function vaultKeysIn(file: string): VaultKeys {
  if (!existsSync(file)) {
    const keys = newVaultKeys((bytes) => crypto.getRandomValues(bytes), 'example')
    writeFileSync(file, keys.reveal(), { mode: 0o600 })
  }
  return readVaultKeys(readFileSync(file, 'utf8'))
}
