import { hash, timingSafeEqual } from 'node:crypto'
import { type Refusal, refuse, SigningError } from '../errors.ts'
import { refusePrinted } from '../keys/masked-key.ts'

/** What both ends of the control signature hash: the terms in the order of the formula, and the shared key. */
export type SignControlInput = {
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
export function controlText({ terms, key }: SignControlInput): string {
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
export function signControl(input: SignControlInput): string {
  const text = controlText(input)
  if (!text.isWellFormed()) {
    throw new SigningError('BAD_TEXT', 'the terms hold a lone surrogate, which has no UTF-8 form')
  }
  return hash('sha1', text, 'hex')
}

/** Why a control was refused. */
export type ControlRefusalReason = 'malformed-control' | 'malformed-terms' | 'wrong-control'

/** The outcome of {@link verifyControl}. An object in both cases: ask for `.ok`. */
export type ControlVerdict = { readonly ok: true } | Refusal<ControlRefusalReason>

/** The terms, the key and the `control` value that was received. */
export type VerifyControlInput = SignControlInput & {
  /** What arrived: 40 hexadecimal digits in either case. Anything else is refused, not thrown at. */
  readonly control: string
}

const DIGEST = /^[0-9a-f]{40}$/i

/**
 * Checks a received `control` value in constant time. Upper-case digits are accepted, as gateways of this family do.
 *
 * A good control says that somebody with the key made this string of terms; it says nothing about other fields and has
 * no time in it. A callback's control in particular does not cover the amount: confirm it by asking for the status.
 *
 * @throws {SigningError} `BAD_KEY` or `BAD_ARGUMENT` for the caller's own key and terms, never for what was received.
 * @see Specification part 5.1; upper case from gaps part 7.1
 */
export function verifyControl({ control, ...input }: VerifyControlInput): ControlVerdict {
  const text = controlText(input)
  if (typeof control !== 'string' || !DIGEST.test(control)) {
    return refuse('malformed-control', 'the control is not 40 hexadecimal digits')
  }
  if (!text.isWellFormed()) {
    return refuse('malformed-terms', 'a signed field holds a lone surrogate, which has no UTF-8 form')
  }
  // As text: node would allocate a buffer for the bytes, which takes twice as long.
  const expected = hash('sha1', text, 'hex')
  return timingSafeEqual(Buffer.from(expected), Buffer.from(control.toLowerCase()))
    ? { ok: true }
    : refuse('wrong-control', 'the control does not fit the terms and the key')
}
