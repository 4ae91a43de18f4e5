import { SigningError } from '../errors.ts'

/** What a `Secret` and a key of this package print instead of themselves. */
export const PRINTED_SECRET = '[secret]'

export const REVEAL_IT = 'the key is the text [secret], which a Secret prints: take the text that its reveal() returns'

/** @throws {SigningError} `BAD_KEY` for the text that a `Secret` prints, which nobody has as a key. */
export function refusePrinted(key: string): void {
  if (key.trim() === PRINTED_SECRET) throw new SigningError('BAD_KEY', REVEAL_IT)
}
