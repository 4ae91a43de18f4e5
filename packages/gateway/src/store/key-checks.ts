import { hkdfSync, type KeyObject } from 'node:crypto'
import type { VaultKeys } from '../vault/keys.ts'
import type { KeyCheck, Store } from './store.ts'
import { StoreError } from './store-error.ts'

const CHECK_BYTES = 16
const WRAPPING = 'wrapping.'
const FINGERPRINT = 'fingerprint'

/** The keys have 32 random bytes: a value derived from one for this purpose alone reveals nothing of it (RFC 5869). */
export function keyChecksOf({ wrapping, fingerprint }: VaultKeys): readonly KeyCheck[] {
  const wrappings = [...wrapping].map(([id, key]) => ({ name: WRAPPING + id, value: checkOf(key) }))
  return [{ name: FINGERPRINT, value: checkOf(fingerprint) }, ...wrappings]
}

function checkOf(key: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'tallystick key check', CHECK_BYTES)).toString('hex')
}

/**
 * Refuses keys that differ from those of the other processes on this store: one process could not open what another has
 * sealed. The first process that has a key notes its check. A key that only some processes have is accepted, so that a new
 * one can be rolled out process by process. But every process needs each key that a card is under.
 *
 * @throws StoreError `KEYS` that says which key is wrong, and what to do
 */
export async function requireSameKeys(
  keys: VaultKeys,
  { keyFingerprints }: Pick<Store, 'keyFingerprints'>,
): Promise<void> {
  if (keyFingerprints === undefined) return
  const mine = keyChecksOf(keys)
  // Only reads: keys that are refused are not noted.
  const noted = await keyFingerprints.note([])
  requireNoOther(mine, noted)
  for (const id of missingIds(mine, noted)) if (await keyFingerprints.isInUse(id)) throw missing(id)
  // If two processes with different keys start at once, one of them is refused here.
  requireNoOther(mine, await keyFingerprints.note(mine))
}

function requireNoOther(mine: readonly KeyCheck[], noted: readonly KeyCheck[]): void {
  const values = new Map(noted.map(({ name, value }) => [name, value]))
  const other = mine.find(({ name, value }) => (values.get(name) ?? value) !== value)
  if (other !== undefined) {
    throw new StoreError(
      'KEYS',
      `The vault key ${other.name} is not the one that this store was used with: use the key file of the other gateways, ` +
        'or a copy of the one that was used before',
    )
  }
}

function missingIds(mine: readonly KeyCheck[], noted: readonly KeyCheck[]): readonly string[] {
  const names = new Set(mine.map(({ name }) => name))
  return noted.flatMap(({ name }) => (name.startsWith(WRAPPING) && !names.has(name) ? name.slice(WRAPPING.length) : []))
}

function missing(id: string): StoreError {
  return new StoreError(
    'KEYS',
    `Cards in this store are sealed under the vault key ${WRAPPING}${id}, which is missing: use the key file of the other ` +
      'gateways; a key may be removed once no card is sealed under it',
  )
}
