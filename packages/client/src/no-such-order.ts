import type { PaymentError } from '@tallystick/core'

const NO_SUCH_ORDER =
  /\bno (?:such )?(?:order|transaction)\b|\b(?:order|transaction)\b.*(?:not found|unknown|not exist|n't exist)/i

/**
 * Whether a gateway refused a status because it has no such order. There is no list of codes (part 7 of the specification), so
 * it is told by the words; another refusal may be one of the login.
 */
export function saysNoSuchOrder(error: PaymentError): boolean {
  return error.code === 'REJECTED' && 'errorMessage' in error && NO_SUCH_ORDER.test(String(error.errorMessage))
}
