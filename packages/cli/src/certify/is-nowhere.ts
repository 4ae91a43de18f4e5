import type { PaymentError } from '@tallystick/core'

/** Whether the gateway has nothing at the address of the request. */
export function isNowhere(error: PaymentError): boolean {
  return 'httpStatus' in error && error.httpStatus === 404
}
