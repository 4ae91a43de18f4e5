/**
 * What a {@link SigningError} is about.
 *
 * - `BAD_KEY`: a secret or a PEM text cannot be used, or the key is of the wrong kind for the method.
 * - `BAD_ARGUMENT`: an argument is outside its domain (nonce, timestamp, HTTP method, realm...).
 * - `BAD_TEXT`: a text has no UTF-8 form (a lone surrogate) or is not well-formed form encoding.
 * - `BAD_URL`: a URL is not an absolute `http:` or `https:` URL in the ASCII form that goes over the wire.
 */
export type SigningErrorCode = 'BAD_ARGUMENT' | 'BAD_KEY' | 'BAD_TEXT' | 'BAD_URL'

/** Where the documentation says what to do about a {@link SigningErrorCode}. */
const PAGE = 'https://tallystick.github.io/tallystick/errors/signing.html'

/**
 * The caller passed something that can be neither signed with nor verified with. It is the only error that this
 * package throws; what an unverified sender sends is never an error but a verdict (`{ ok: false, reason, message }`).
 *
 * Branch on the literal `code`. The message says what is wrong and what to do about it; it never holds a key, a
 * signature or a value of a request. Retrying with the same arguments fails in the same way: correct them.
 */
export class SigningError extends TypeError {
  override readonly name = 'SigningError'
  readonly code: SigningErrorCode
  /** What to do about it, in the documentation. */
  readonly url: string

  constructor(code: SigningErrorCode, message: string) {
    super(message)
    this.code = code
    this.url = `${PAGE}#${code.toLowerCase()}`
  }
}

/**
 * A failed check, as a value: `reason` is a literal to branch on and to log, `message` one sentence for people. Neither
 * holds a key, a signature or a value of the request, so both may be logged. Show an unverified sender neither:
 * the specification's answer to a bad signature is one plain 403.
 */
export type Refusal<Reason extends string> = {
  readonly ok: false
  readonly reason: Reason
  readonly message: string
}

/** Builds a {@link Refusal}. */
export function refuse<const Reason extends string>(reason: Reason, message: string): Refusal<Reason> {
  return { ok: false, reason, message }
}

/** Matches what `\p{Cc}` does, but without making V8 load Unicode's tables at every import. */
export const CONTROL_CHARACTER = /[^ -~\u00a0-\uffff]/
