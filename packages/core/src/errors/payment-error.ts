/**
 * What a caller may do after an error: `never` send it again as it is, ask for the status first (`after-status`), or
 * send it again (`safe`), because nothing left this machine.
 */
export type Retry = 'never' | 'after-status' | 'safe'

/** The closed set of codes. Branch on these, after {@link isPaymentError}. */
export type PaymentErrorCode =
  | 'INVALID_INPUT'
  | 'MALFORMED_FORM'
  | 'NOT_SENT'
  | 'NO_REPLY'
  | 'REJECTED'
  | 'AUTH_REJECTED'
  | 'GATEWAY_ERROR'

/** What every error of tallystick has. Messages name the remedy and never hold a card number, a CVV or a key. */
export abstract class PaymentError extends Error {
  /** What happened: branch on it. */
  abstract readonly code: PaymentErrorCode
  /** What may be done next: `never`, `after-status` or `safe`. */
  abstract readonly retry: Retry

  override get name(): string {
    return this.constructor.name
  }
}
