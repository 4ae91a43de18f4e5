import { SigningError } from '../errors.ts'
import { consumerKeys, TextHash } from './consumer-keys.ts'
import { NonceWindow } from './nonce-window.ts'

/** What {@link replayGuard} is made with. */
export type ReplayGuardOptions = {
  /** Eight secret random bytes, new at every start: `randomBytes(8)`. */
  readonly secret: Uint8Array
  /** The most seconds between a timestamp and the present, either way, as in `verifyOAuth`. Default 300. */
  readonly windowSeconds?: number | undefined
  /** The most nonces to store. Beyond that, everything is refused. Default 5,000,000: about 120 MB. */
  readonly maxNonces?: number | undefined
}

/** A `NonceStore` that answers at once. */
export type ReplayGuard = {
  /** As `NonceStore.consume`: `true` if the nonce was fresh, `false` if the request must be refused. */
  consume(nonce: OAuthNonce, now: number): boolean
}

const DEFAULT_WINDOW_SECONDS = 300
const DEFAULT_MAX_NONCES = 5_000_000

/**
 * Remembers used nonces in this process, per consumer and timestamp, for as long as `verifyOAuth` accepts the timestamp, and
 * the last 65,536 for longer. Several processes need a `NonceStore` that they share.
 *
 * A nonce is stored as a keyed fingerprint of 53 bits: 1,000,000 of them take 17 to 23 MB, 34 for a moment if all are of one
 * second. A fresh nonce is refused by mistake if it has the fingerprint of another one of the same second: with 10,000
 * requests in that second, once in 900,000,000,000. A used one is never accepted, however the clock is set: old nonces are
 * forgotten a whole second at a time, and a forgotten second is refused from then on. A clock that was wrong for a while refuses
 * nothing else once it is right again.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when the secret is not 8 bytes or a number is outside its domain.
 * @see gaps part 13; that memory is bounded and the hash keyed is our decision
 */
export function replayGuard({
  secret,
  windowSeconds = DEFAULT_WINDOW_SECONDS,
  maxNonces = DEFAULT_MAX_NONCES,
}: ReplayGuardOptions): ReplayGuard {
  requireOptions(windowSeconds, maxNonces)
  const hash = new TextHash()
  const keyOfConsumer = consumerKeys(secret, hash)
  const window = new NonceWindow(windowSeconds, maxNonces)
  return {
    consume: ({ consumerKey, nonce, timestamp }, now) => {
      requireTimes(timestamp, now)
      // Zero is no fingerprint: it marks a free slot.
      const fingerprint = Math.max(1, hash.of(nonce, keyOfConsumer(consumerKey)))
      return window.add(timestamp, fingerprint, now)
    },
  }
}

function requireOptions(windowSeconds: number, maxNonces: number): void {
  if (!(windowSeconds > 0 && Number.isFinite(windowSeconds))) {
    throw new SigningError('BAD_ARGUMENT', 'windowSeconds must be a number of seconds, more than none')
  }
  if (!(Number.isInteger(maxNonces) && maxNonces > 0)) {
    throw new SigningError('BAD_ARGUMENT', 'maxNonces must be a whole number, more than none')
  }
}

function requireTimes(timestamp: number, now: number): void {
  if (Number.isSafeInteger(timestamp) && Number.isFinite(now)) return
  throw new SigningError('BAD_ARGUMENT', 'timestamp and now must be seconds since 1970, the timestamp whole ones')
}

/** What a nonce is unique within: its consumer and its timestamp. A verdict of `verifyOAuth` is one. */
export type OAuthNonce = {
  readonly consumerKey: string
  /** Decoded: `%41` and `A` are one nonce. */
  readonly nonce: string
  /** Seconds since 1970. */
  readonly timestamp: number
}

/**
 * Stores used nonces. `replayGuard` stores them in one process; several processes share a store, such as a table with a
 * unique key over the three values.
 */
export type NonceStore = {
  /**
   * Marks a nonce as used. `true` if it was fresh, once and for one caller only, even if two ask at the same time; `false`
   * if it has been used, or the store no longer knows: then refuse the request.
   *
   * Call it after the signature has been verified and never before, or strangers fill the store and consume the nonces of
   * others.
   *
   * @param now The present time in seconds since 1970.
   * @see gaps part 13
   */
  consume(nonce: OAuthNonce, now: number): Promise<boolean> | boolean
}
