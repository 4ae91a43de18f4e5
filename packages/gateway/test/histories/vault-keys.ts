import { newVaultKeys, readVaultKeys, type VaultKeys } from '../../src/index.ts'

export function freshKeys(id: string): VaultKeys {
  return readVaultKeys(newVaultKeys((target) => void crypto.getRandomValues(target), id).reveal())
}

/** The same keys with a new one, which is current. */
export function rotatedKeys(keys: VaultKeys, id: string): VaultKeys {
  return { ...keys, current: id, wrapping: new Map([...keys.wrapping, ...freshKeys(id).wrapping]) }
}

/** The keys that are still needed once all cards are under the current one. */
export function currentKeys(keys: VaultKeys): VaultKeys {
  return { ...keys, wrapping: new Map([...keys.wrapping].filter(([id]) => id === keys.current)) }
}
