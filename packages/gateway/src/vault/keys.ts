import { createSecretKey, type KeyObject } from 'node:crypto'
import { Secret } from '@tallystick/core'
import { checkOptions, type Validator, validator } from '@tallystick/core/internal'
import type { RandomFill } from '../runtime/system.ts'

/** The keys of the vault, from outside the store. All have 32 bytes. */
export interface VaultKeys {
  /** The id of the wrapping key for new cards. {@link rotateCards} brings all other cards under it. */
  readonly current: string
  /** Key-encryption keys by id: every key that a stored card may still be under. */
  readonly wrapping: ReadonlyMap<string, KeyObject>
  /** Fingerprints, card ids, digests of requests and sealed texts depend on it: keep it for as long as the store. */
  readonly fingerprint: KeyObject
}

/** How `checkOptions` recognises them. */
export const VAULT_KEYS: Validator = {
  wanted: 'what readVaultKeys(text) gives',
  isRight: (value) =>
    typeof value === 'object' && value !== null && 'wrapping' in value && value.wrapping instanceof Map,
}

const KEY_BYTES = 32
/** Shorter than the base64 of a key: a key in the wrong place is never quoted as an id. */
const KEY_ID = /^[\w.-]{1,32}$/

/**
 * Reads the key file: `{ "current": "2026-11", "wrapping": { "2026-11": "<base64>" }, "fingerprint": "<base64>" }`.
 *
 * @throws TypeError that names the entry which is wrong, and quotes no value
 */
export function readVaultKeys(text: string): VaultKeys {
  const { current, wrapping, fingerprint, ...others } = objectAt('the key file', parse(text))
  if (Object.keys(others).length > 0) throw wrong('the key file', 'has an entry that is not known')
  const used = new Set<string>()
  const keys = new Map<string, KeyObject>()
  for (const [id, value] of Object.entries(objectAt('wrapping', wrapping))) {
    if (!KEY_ID.test(id)) throw wrong('wrapping', 'has an id that is not 1 to 32 letters, digits or ._-')
    keys.set(id, keyAt(`wrapping.${id}`, value, used))
  }
  if (typeof current !== 'string' || !keys.has(current)) throw wrong('current', 'is not the id of a wrapping key')
  return { current, wrapping: keys, fingerprint: keyAt('fingerprint', fingerprint, used) }
}

const NEW_KEYS = {
  random: validator.required({
    ...validator.function,
    wanted: 'a function that fills bytes, (bytes) => void crypto.getRandomValues(bytes)',
  }),
  id: validator.required({
    wanted: 'the id of the new key, 1 to 32 letters, digits or ._-, such as 2026-11',
    isRight: (value) => typeof value === 'string' && KEY_ID.test(value),
  }),
}

/** The text of a new key file. Write it where only the gateway can read it, and keep a copy: no card opens without it. */
export function newVaultKeys(random: RandomFill, id: string): Secret {
  checkOptions('newVaultKeys', { random, id }, NEW_KEYS)
  const keys = { current: id, wrapping: { [id]: newKey(random) }, fingerprint: newKey(random) }
  return new Secret(`${JSON.stringify(keys, undefined, 2)}\n`)
}

function newKey(random: RandomFill): string {
  const bytes = Buffer.alloc(KEY_BYTES)
  random(bytes)
  const text = bytes.toString('base64')
  bytes.fill(0)
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's own error quotes the text.
    if (/[\0\uFFFD]/.test(text))
      throw wrong('the key file', 'is not in UTF-8, as if Windows had saved it in UTF-16: save it in UTF-8')
    throw wrong('the key file', 'is not JSON')
  }
}

function objectAt(entry: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(entry, 'is not an object')
  return { ...value }
}

/** Refuses a key that has two names: a rotation between them would change nothing. */
function keyAt(entry: string, value: unknown, used: Set<string>): KeyObject {
  if (typeof value !== 'string') throw wrong(entry, 'is not a text')
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== value) throw wrong(entry, 'is not base64 of 32 bytes')
  if (used.has(value)) throw wrong(entry, 'is the same key as an entry before it')
  used.add(value)
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}

function wrong(entry: string, what: string): TypeError {
  return new TypeError(`${entry} ${what}`)
}
