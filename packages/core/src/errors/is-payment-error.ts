import type { AuthRejectedError, GatewayError, NoReplyError, NotSentError, RejectedError } from './exchange-errors.ts'
import type { InvalidInputError } from './invalid-input-error.ts'
import type { MalformedFormError } from './malformed-form-error.ts'
import { BaseError } from './payment-error.ts'

/** An error of this library: its `code` tells which. */
export type PaymentError =
  | InvalidInputError
  | MalformedFormError
  | NotSentError
  | NoReplyError
  | RejectedError
  | AuthRejectedError
  | GatewayError

/** What all of them extend. */
export const PaymentError: typeof BaseError = BaseError

/** Whether it is an error of this library. `instanceof` breaks when two copies of a package are loaded. */
export function isPaymentError(thrown: unknown): thrown is PaymentError {
  const { code, retry } = Object(thrown) as Readonly<Record<string, unknown>>
  return typeof code === 'string' && typeof retry === 'string'
}
