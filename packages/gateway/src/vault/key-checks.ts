import { hkdfSync, type KeyObject } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { VaultKeys } from './vault-keys.ts'

/** What tells a key apart from every other, and from which nobody finds the key. */
export interface KeyCheck {
  /** As the key file names it: `fingerprint`, or `wrapping.` and the id. */
  readonly name: string
  readonly value: string
}

const CHECK_BYTES = 16
const WRAPPING = 'wrapping.'
const FINGERPRINT = 'fingerprint'

/** Of the keys with 32 random bytes: what is derived of one for this purpose alone shows nothing of it (RFC 5869). */
export function keyChecksOf({ wrapping, fingerprint }: VaultKeys): readonly KeyCheck[] {
  const wrappings = [...wrapping].map(([id, key]) => ({ name: WRAPPING + id, value: checkOf(key) }))
  return [{ name: FINGERPRINT, value: checkOf(fingerprint) }, ...wrappings]
}

function checkOf(key: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'tallystick key check', CHECK_BYTES)).toString('hex')
}

/**
 * Refuses keys that are not those of the others who keep cards in this store: one process would not open what another has
 * sealed. The first that has a key notes what tells it apart. A key that only some have yet is borne with, so that a new
 * one may be given to one process after the other; one that cards are under is needed by all.
 *
 * @throws StoreError `KEYS` that says which key is wrong, and what to do
 */
export async function requireSameKeys(keys: VaultKeys, { keyNotes }: Pick<Store, 'keyNotes'>): Promise<void> {
  if (keyNotes === undefined) return
  const mine = keyChecksOf(keys)
  // What is refused notes nothing.
  const noted = await keyNotes.note([])
  requireNoOther(mine, noted)
  for (const id of missingIds(mine, noted)) if (await keyNotes.isInUse(id)) throw missing(id)
  // Of two that start at once and differ, one is refused here.
  requireNoOther(mine, await keyNotes.note(mine))
}

function requireNoOther(mine: readonly KeyCheck[], noted: readonly KeyCheck[]): void {
  const values = new Map(noted.map(({ name, value }) => [name, value]))
  const other = mine.find(({ name, value }) => (values.get(name) ?? value) !== value)
  if (other !== undefined) {
    throw new StoreError(
      'KEYS',
      `The vault key ${other.name} is not the one that this store was used with: take the key file of the other gateways, ` +
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
    `Cards in this store are under the vault key ${WRAPPING}${id}, which is not there: take the key file of the other ` +
      'gateways; a key may go when no card is under it any more',
  )
}
