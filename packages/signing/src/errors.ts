/**
 * What a {@link SigningError} is about.
 *
 * - `BAD_KEY`: a secret or a PEM text cannot be used, or the key is of the wrong kind for the method.
 * - `BAD_ARGUMENT`: an argument is outside its domain (nonce, timestamp, HTTP method, realm...).
 * - `BAD_TEXT`: a text has no UTF-8 form (a lone surrogate) or is not well-formed form encoding.
 * - `BAD_URL`: a URL is not an absolute `http:` or `https:` URL in the ASCII form that goes over the wire.
 */
export type SigningErrorCode = 'BAD_ARGUMENT' | 'BAD_KEY' | 'BAD_TEXT' | 'BAD_URL'

/**
 * The caller handed over something that can be neither signed with nor verified with. It is the only error that this
 * package throws; what a stranger sends is never an error but a verdict (`{ ok: false, reason, message }`).
 *
 * Branch on the literal `code`. The message says what is wrong and what to do about it; it never holds a key, a
 * signature or a value of a request. Retrying with the same arguments fails in the same way: correct them.
 */
export class SigningError extends TypeError {
  override readonly name = 'SigningError'
  readonly code: SigningErrorCode

  constructor(code: SigningErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
