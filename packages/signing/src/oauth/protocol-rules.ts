import { CONTROL_CHARACTER, SigningError } from '../errors.ts'

/** What a value of an `oauth_*` parameter must be, in words for the caller, with the test. */
export type ProtocolRule = { readonly rule: string; readonly holds: (value: string) => boolean }

const MAX_NONCE_BYTES = 128
/** The most bytes of UTF-8 that one UTF-16 unit becomes. */
const MOST_UTF8 = 3
/** Nearly all logins and nonces match this, and it is faster to test than the whole rule. */
const VISIBLE_ASCII = /^[!-~]+$/

/** The merchant login. @see Specification part 5.2 */
export const CONSUMER_KEY_RULE: ProtocolRule = {
  rule: 'the consumer key must be a text that is not empty and holds no control character',
  holds: isPlainText,
}

/** Filled in: the specification says only "unique random". @see gaps part 13 */
export const NONCE_RULE: ProtocolRule = {
  rule: `the nonce must be 1 to ${MAX_NONCE_BYTES} bytes of UTF-8 and hold no control character`,
  holds: (nonce) => isPlainText(nonce) && (isShort(nonce) || Buffer.byteLength(nonce) <= MAX_NONCE_BYTES),
}

/** Ten digits: from September 2001 to November 2286. @see Specification part 5.2 (seconds) */
export const TIMESTAMP_RULE: ProtocolRule = {
  rule: 'the timestamp must be ten digits: whole seconds since 1970, not milliseconds',
  holds: (timestamp) => /^[0-9]{10}$/.test(timestamp),
}

/** Stated: fixed at 1.0. @see Specification part 5.2; RFC 5849 section 3.1 (optional) */
export const VERSION = '1.0'

/** Most nonces are short whatever their characters are, and counting bytes takes longer. */
function isShort(nonce: string): boolean {
  return nonce.length * MOST_UTF8 <= MAX_NONCE_BYTES
}

function isPlainText(text: string): boolean {
  if (typeof text !== 'string') return false
  return VISIBLE_ASCII.test(text) || (text !== '' && text.isWellFormed() && !CONTROL_CHARACTER.test(text))
}

/** @throws {SigningError} `BAD_ARGUMENT` when the value is outside its domain. */
export function obey({ rule, holds }: ProtocolRule, value: string): string {
  if (!holds(value)) throw new SigningError('BAD_ARGUMENT', rule)
  return value
}
