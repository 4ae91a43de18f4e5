import { PaymentError } from './payment-error.ts'

/** Why a text is not a form. */
export type MalformedForm =
  | 'too-large'
  | 'too-many-pairs'
  | 'empty-name'
  | 'not-ascii'
  | 'invalid-percent'
  | 'repeated-name'

/**
 * A body or query is not a strict `application/x-www-form-urlencoded` text.
 * The sender has to encode it again; nothing of it was used.
 */
export class MalformedFormError extends PaymentError {
  /** It is no form. */
  readonly code = 'MALFORMED_FORM'
  /** It would fail again. */
  readonly retry = 'never'
  /** What is wrong with it. */
  readonly reason: MalformedForm

  constructor(reason: MalformedForm, message: string) {
    super(message)
    this.reason = reason
  }
}
