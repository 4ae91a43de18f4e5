import { CONTROL_CHARACTER } from '../errors.ts'

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
  holds: remember(isPlainText),
}

/** Filled in: the specification says only "unique random". @see gaps part 13 */
export const NONCE_RULE: ProtocolRule = {
  rule: `the nonce must be 1 to ${MAX_NONCE_BYTES} bytes of UTF-8 and hold no control character`,
  holds: (nonce) => isPlainText(nonce) && (isShort(nonce) || Buffer.byteLength(nonce) <= MAX_NONCE_BYTES),
}

/** Ten digits: from September 2001 to November 2286. @see Specification part 5.2 (seconds) */
export const TIMESTAMP_RULE: ProtocolRule = {
  rule: 'the timestamp must be ten digits: whole seconds since 1970, not milliseconds',
  holds: remember((timestamp) => /^[0-9]{10}$/.test(timestamp)),
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

/**
 * The same function with a memory of its last argument: for a pure function of a text that many requests in a row share, such
 * as the sender or the second. Never for a value of a request.
 */
export function remember<T>(ask: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined
  return (text) => {
    if (last === undefined || last.text !== text) {
      const copy = copyOf(text)
      if (copy !== text) return ask(text)
      last = { text: copy, answer: ask(copy) }
    }
    return last.answer
  }
}

/** The same text in memory of its own: a slice would keep the whole text that it was cut from alive. */
export function copyOf(text: string): string {
  return String(Buffer.from(String(text)))
}
