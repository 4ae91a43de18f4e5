import { hash, timingSafeEqual } from 'node:crypto'
import { type Refusal, refuse } from '../refusal.ts'
import { type ControlTerms, controlText } from './control-text.ts'

/** Why a control was refused. */
export type ControlRefusalReason = 'malformed-control' | 'malformed-terms' | 'wrong-control'

/** The outcome of {@link verifyControl}. An object in both cases: ask for `.ok`. */
export type ControlVerdict = { readonly ok: true } | Refusal<ControlRefusalReason>

/** The terms, the key and the `control` value that was received. */
export type VerifyControlInput = ControlTerms & {
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
