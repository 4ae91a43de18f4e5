import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { Pan } from '@tallystick/core'
import { cardBrand, checkOptions, errorUrl, type Validators, validator } from '@tallystick/core/internal'
import type { RandomFill } from '../runtime/system.ts'
import { VAULT_KEYS, type VaultKeys } from './keys.ts'
import type { SealedCard } from './sealed-card.ts'

/** A card as it was received, without its CVV. */
export interface CardToSeal {
  readonly pan: Pan
  readonly cardholderName?: string | undefined
  readonly expireMonth?: string | undefined
  readonly expireYear?: string | undefined
}

/**
 * Seals cards and texts about people for the store, and opens them again. It is the only place that knows the keys, and it
 * stores nothing.
 */
export interface Vault {
  /** The key that cards are sealed under and rewrapped to. */
  readonly currentKeyId: string
  /** The same card of the same merchant gets the same `cardId` each time, but a new encryption. */
  seal(login: string, card: CardToSeal): SealedCard
  /**
   * @param login whose card it has to be: a store that was written to by others may refer to anybody's
   * @throws VaultError if the key is unknown, or if any part of the card is not what was sealed
   */
  open(card: SealedCard, login: string): Pan
  /** Keyed digest of the number: the same for every merchant, for as long as the fingerprint key does not change. */
  fingerprint(pan: Pan): string
  /**
   * The card with its data key wrapped by the current key; the sealed number is as it was.
   *
   * @throws VaultError
   */
  rewrap(card: SealedCard): SealedCard
  /** Keyed digest of a text that may hold card data, to tell requests apart. */
  digest(text: string): string
  /** Base64 that only `openText` with the same `sealedFor` can read, for as long as the fingerprint key does not change. */
  sealText(text: string, sealedFor: string): string
  /** @throws VaultError if it is not what was sealed for `sealedFor` */
  openText(sealed: string, sealedFor: string): string
}

/** The keys of a vault, and its randomness. */
export interface VaultOptions {
  readonly keys: VaultKeys
  readonly random: RandomFill
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const KINDS: Validators<VaultOptions> = {
  keys: validator.required(VAULT_KEYS),
  random: validator.required(validator.function),
  now: validator.required(validator.function),
}

const KEY_BYTES = 32
/** 128 bits: no two cards of a store collide. */
const CARD_ID_DIGITS = 32

/**
 * Envelope encryption (`SealedCard`): a random data key, which the current wrapping key encrypts, seals the cards of an hour.
 * Buffers with a number or a data key are wiped after use.
 *
 * @throws TypeError for a wrong option
 */
export function createVault(options: VaultOptions): Vault {
  checkOptions('createVault', options, KINDS)
  const { keys, random, now } = options
  const current = keys.wrapping.get(keys.current)
  if (current === undefined) throw new TypeError('the current key of the vault is not among its wrapping keys')
  const digests = digestsUnder(keys.fingerprint)

  const wrap = (dataKey: Uint8Array) => encrypt(dataKey, { key: current, associated: wrappingOf(keys.current) }, random)

  const unwrap = (card: SealedCard): Uint8Array => {
    const key = keys.wrapping.get(card.keyId)
    if (key === undefined) {
      throw new VaultError('UNKNOWN_KEY', `card ${card.cardId} is under the key ${card.keyId}, which the vault lacks`)
    }
    // A data key of many says nothing of the card: else the parts of one could stand under the id of another.
    if (cardIdOf(identityOf(card)) !== card.cardId) refuse(card, 'id')
    return (
      decrypt(card.wrappedKey, { key, associated: wrappingOf(card.keyId) }) ??
      decrypt(card.wrappedKey, { key, associated: ownWrappingOf(card) }) ??
      refuse(card, 'data key')
    )
  }

  const takeDataKey = dataKeys({ wrap, random, now })

  return {
    currentKeyId: keys.current,
    fingerprint: (pan) => digests.ofCards(pan.reveal()),
    digest: digests.ofRequests,
    seal: (login, card) => {
      const facts = factsOf(login, card, digests.ofCards(card.pan.reveal()))
      const identity = identityOf(facts)
      const { key, wrappedKey, count } = takeDataKey()
      const digits = Buffer.from(card.pan.reveal(), 'latin1')
      const sealedPan = useOnce(digits, () => encrypt(digits, { key, associated: identity }, count))
      return { cardId: cardIdOf(identity), ...facts, keyId: keys.current, wrappedKey, sealedPan }
    },
    open: (card, login) => {
      if (card.login !== login) refuse(card, 'merchant')
      return useOnce(unwrap(card), (key) => {
        const digits = decrypt(card.sealedPan, { key, associated: identityOf(card) }) ?? refuse(card, 'number')
        return useOnce(digits, () => new Pan(digits.toString('latin1')))
      })
    },
    rewrap: (card) =>
      card.keyId === keys.current
        ? card
        : useOnce(unwrap(card), (key) => ({ ...card, keyId: keys.current, wrappedKey: wrap(key) })),
    sealText: (text, sealedFor) =>
      useTextKey(keys.fingerprint, sealedFor, (sealing) =>
        useOnce(Buffer.from(text, 'utf8'), (plain) => Buffer.from(encrypt(plain, sealing, random)).toString('base64')),
      ),
    openText: (sealed, sealedFor) =>
      useTextKey(keys.fingerprint, sealedFor, (sealing) => {
        const plain = decrypt(Buffer.from(sealed, 'base64'), sealing) ?? refuseText()
        return useOnce(plain, () => plain.toString('utf8'))
      }),
  }
}

/** What seals the cards of at most an hour. It is wrapped once, and no two cards have the same vector under it. */
interface DataKey {
  readonly key: KeyObject
  readonly wrappedKey: Uint8Array
  /** Fills each vector with the next number. */
  readonly count: RandomFill
}

interface DataKeyParts extends Pick<VaultOptions, 'random' | 'now'> {
  readonly wrap: (key: Uint8Array) => Uint8Array
}

const MOST_CARDS = 2 ** 20
const HOUR_MS = 3_600_000

/** The data key of the next card: another after an hour, after 2^20 cards, and when the clock was set back. */
export function dataKeys({ wrap, random, now }: DataKeyParts): () => DataKey {
  let madeAt = 0
  let left = 0
  let used: DataKey | undefined

  const make = (): DataKey =>
    useOnce(Buffer.allocUnsafe(KEY_BYTES), (key) => {
      random(key)
      return { key: createSecretKey(key), wrappedKey: wrap(key), count: counter() }
    })

  return () => {
    const age = now() - madeAt
    if (used === undefined || left === 0 || age < 0 || age >= HOUR_MS) {
      used = make()
      madeAt = now()
      left = MOST_CARDS
    }
    left -= 1
    return used
  }
}

/** Vectors by counting, for one key of one process. @see NIST SP 800-38D section 8.2.1 */
function counter(): RandomFill {
  let next = 0
  return (vector) => {
    vector.fill(0)
    new DataView(vector.buffer, vector.byteOffset).setUint32(vector.byteLength - 4, next)
    next += 1
  }
}

type CardFacts = Omit<SealedCard, 'cardId' | 'keyId' | 'wrappedKey' | 'sealedPan'>

function factsOf(login: string, card: CardToSeal, fingerprint: string): CardFacts {
  const { bin, lastFourDigits } = card.pan
  const { cardholderName, expireMonth, expireYear } = card
  const shown = { bin, lastFourDigits, cardType: cardBrand(bin) }
  return { login, fingerprint, ...shown, cardholderName, expireMonth, expireYear }
}

/**
 * What identifies a card of a merchant: its id is a digest of this, and its encrypted number is bound to it. The
 * fingerprint is keyed, so the digest needs no key. The brand is left out: the table of brands may grow.
 */
function identityOf(card: CardFacts): string {
  const { login, fingerprint, bin, lastFourDigits, expireMonth, expireYear, cardholderName } = card
  const optional = [expireMonth ?? null, expireYear ?? null, cardholderName ?? null]
  return JSON.stringify(['card', login, fingerprint, bin, lastFourDigits, ...optional])
}

function cardIdOf(identity: string): string {
  return hash('sha256', identity, 'hex').slice(0, CARD_ID_DIGITS)
}

/** What a wrapped data key is bound to. */
function wrappingOf(keyId: string): string {
  return JSON.stringify(['data key of many', keyId])
}

/** Until November 2026 each card had a data key of its own. */
function ownWrappingOf({ keyId, login, cardId }: SealedCard): string {
  return JSON.stringify(['data key', keyId, login, cardId])
}

interface Digests {
  readonly ofCards: KeyedDigest
  readonly ofRequests: KeyedDigest
}

/** Tests start many gateways with the same keys. */
const DERIVED = new WeakMap<KeyObject, Digests>()

function digestsUnder(key: KeyObject): Digests {
  const digests = DERIVED.get(key) ?? {
    ofCards: derivedDigest(key, 'card fingerprint'),
    ofRequests: derivedDigest(key, 'request digest'),
  }
  DERIVED.set(key, digests)
  return digests
}

/** Digests for one purpose, under a key of their own. @see {@link https://www.rfc-editor.org/rfc/rfc5869 RFC 5869} */
function derivedDigest(key: KeyObject, purpose: string): KeyedDigest {
  return useOnce(new Uint8Array(hkdfSync('sha256', key, '', `tallystick ${purpose}`, KEY_BYTES)), keyedDigest)
}

/** Each text has a key of its own, which needs neither storing nor rewrapping. */
function useTextKey<Result>(from: KeyObject, sealedFor: string, use: (sealing: Sealing) => Result): Result {
  const key = new Uint8Array(hkdfSync('sha256', from, sealedFor, 'tallystick sealed text', KEY_BYTES))
  return useOnce(key, () => use({ key, associated: JSON.stringify(['text', sealedFor]) }))
}

function useOnce<Bytes extends Uint8Array, Result>(bytes: Bytes, use: (bytes: Bytes) => Result): Result {
  try {
    return use(bytes)
  } finally {
    bytes.fill(0)
  }
}

function refuseText(): never {
  throw new VaultError('NOT_AUTHENTIC', 'a sealed text is not what was sealed, or was sealed for something else')
}

function refuse({ cardId, keyId }: SealedCard, what: string): never {
  throw new VaultError('NOT_AUTHENTIC', `the ${what} of card ${cardId} is not what was sealed under the key ${keyId}`)
}

/**
 * AES-256-GCM as the vault stores it: initialisation vector, tag, encrypted bytes. The encrypted bytes are bound to an
 * associated text, which is not stored with them and must be the same for decryption.
 *
 * @see NIST SP 800-38D: with random vectors of 96 bits a key encrypts at most 2^32 times (section 8.3)
 */
const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const TEXT_FROM = IV_BYTES + TAG_BYTES

interface Sealing {
  readonly key: CipherKey
  /** Different facts must make different texts, hence JSON of a list. It also escapes what has no UTF-8 form. */
  readonly associated: string
}

export function encrypt(plain: Uint8Array, { key, associated }: Sealing, random: RandomFill): Uint8Array {
  const sealed = new Uint8Array(TEXT_FROM + plain.length)
  const iv = sealed.subarray(0, IV_BYTES)
  random(iv)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  cipher.setAAD(Buffer.from(associated, 'utf8'))
  sealed.set(cipher.update(plain), TEXT_FROM)
  cipher.final()
  sealed.set(cipher.getAuthTag(), IV_BYTES)
  return sealed
}

/** The plain bytes, or `undefined` if key, associated text and bytes do not belong together. Wipe them after use. */
export function decrypt(sealed: Uint8Array, { key, associated }: Sealing): Buffer | undefined {
  if (sealed.length < TEXT_FROM) return undefined
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(associated, 'utf8'))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, TEXT_FROM))
  const plain = decipher.update(sealed.subarray(TEXT_FROM))
  try {
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return undefined
  }
}

/** Digests a text under a key: 64 hexadecimal digits. */
type KeyedDigest = (text: string) => string

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32

/**
 * HMAC-SHA256 under a key of at most 64 bytes, in two one-shot hashes over prepared blocks: half the time of `createHmac`,
 * with which the tests compare it. The copies of the text and of the blocks are wiped; the key itself is not kept.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc2104#section-2 RFC 2104 section 2}
 */
export function keyedDigest(key: Uint8Array): KeyedDigest {
  const padded = new Uint8Array(BLOCK_BYTES)
  padded.set(key)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  padded.fill(0)
  return (text) => {
    const keyed = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(text))
    keyed.set(inner)
    keyed.write(text, BLOCK_BYTES, 'utf8')
    const digest = hash('sha256', keyed, 'binary')
    keyed.fill(0)
    const last = Buffer.allocUnsafe(BLOCK_BYTES + DIGEST_BYTES)
    last.set(outer)
    last.write(digest, BLOCK_BYTES, 'latin1')
    const mac = hash('sha256', last, 'hex')
    last.fill(0)
    return mac
  }
}

/**
 * Why a sealed card or a sealed text does not open:
 *
 * - `UNKNOWN_KEY`: the key file has no wrapping key with the card's key id. Put the key back.
 * - `NOT_AUTHENTIC`: the bytes are not what was sealed, or another key has this id. Restore the bytes or the key.
 */
export type VaultErrorCode = 'UNKNOWN_KEY' | 'NOT_AUTHENTIC'

/** A sealed card or text does not open. The message may name the card and the key; it quotes nothing of either. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: VaultErrorCode
  /** What to do about it, in the documentation. */
  readonly url: string

  constructor(code: VaultErrorCode, message: string) {
    super(message)
    this.code = code
    this.url = errorUrl('gateway', code)
  }
}
