import type { PaymentError } from '@tallystick/core'

/** Not found, no POST there, not implemented. */
const NOWHERE: ReadonlySet<unknown> = new Set([404, 405, 501])

/** Whether the gateway has nothing at the address of the request. */
export function isNowhere(error: PaymentError): boolean {
  return 'httpStatus' in error && NOWHERE.has(error.httpStatus)
}
