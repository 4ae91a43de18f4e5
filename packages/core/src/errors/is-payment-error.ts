import type { AuthRejectedError, GatewayError, NoReplyError, NotSentError, RejectedError } from './exchange-errors.ts'
import { PaymentError as BaseError, type InvalidInputError, type MalformedFormError } from './payment-error.ts'

/** An error of this library, by its `code`. */
export type PaymentError =
  | InvalidInputError
  | MalformedFormError
  | NotSentError
  | NoReplyError
  | RejectedError
  | AuthRejectedError
  | GatewayError

/** All extend it. */
export const PaymentError: typeof BaseError = BaseError

/** As `instanceof PaymentError`, even if two copies of a package are loaded. */
export function isPaymentError(thrown: unknown): thrown is PaymentError {
  const { code, retry } = Object(thrown) as Readonly<Record<string, unknown>>
  return typeof code === 'string' && typeof retry === 'string'
}
