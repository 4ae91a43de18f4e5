import { SigningError } from '../errors.ts'
import { refusePrinted } from '../keys/printed-secret.ts'

/** What both ends of the control signature hash: the terms in the order of the formula, and the shared key. */
export type ControlTerms = {
  /**
   * The terms of the operation's formula, in order and already formatted: an amount in cents without a dot (`'1042'`),
   * `''` for a term that is absent. The key is not among them.
   */
  readonly terms: readonly string[]
  /** The merchant control key. It is never sent. */
  readonly key: string
}

/**
 * Joins the terms with no separator and puts the key last.
 *
 * @throws {SigningError} `BAD_KEY` when the key is empty, `BAD_ARGUMENT` when a term is not a text (`undefined` would
 *   silently count as `''`): format it first, or give `''` for an absent term.
 * @see Specification part 5.1 item 1
 */
export function controlText({ terms, key }: ControlTerms): string {
  if (typeof key !== 'string' || key === '') {
    throw new SigningError('BAD_KEY', 'the control key is empty or not a text: configure the merchant control key')
  }
  refusePrinted(key)
  let text = ''
  for (const term of terms) {
    if (typeof term !== 'string') {
      throw new SigningError('BAD_ARGUMENT', "every term of the control must be a text; an absent term is ''")
    }
    text += term
  }
  return text + key
}
