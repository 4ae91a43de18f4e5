import { hash } from 'node:crypto'
import { SigningError } from '../errors.ts'
import { type ControlTerms, controlText } from './control-text.ts'

/**
 * Computes the `control` value of a request: SHA-1 over the UTF-8 bytes of the terms, joined without separators, with
 * the key last. The result is 40 lower-case hexadecimal digits.
 *
 * The string has no separators, so terms that run into each other sign alike (order `A` for 110.00 and order `A1` for
 * 10.00). Give every signed field a strict grammar before trusting what this proves.
 *
 * @throws {SigningError} `BAD_KEY` when the key is empty; `BAD_ARGUMENT` when a term is not a text; `BAD_TEXT` when a
 *   lone surrogate leaves the joined text without a UTF-8 form: find where it was cut in the middle of a character.
 * @see Specification part 5.1; that the digest is lower-case hex is filled in from gaps part 7.1
 */
export function signControl(input: ControlTerms): string {
  const text = controlText(input)
  if (!text.isWellFormed()) {
    throw new SigningError('BAD_TEXT', 'the terms hold a lone surrogate, which has no UTF-8 form')
  }
  return hash('sha1', text, 'hex')
}
