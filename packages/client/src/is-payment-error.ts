import type { PaymentError } from '@tallystick/core'

/**
 * Whether what a client threw is one of its errors. It may be of another copy of core, where an app has two versions or a test
 * runner isolates modules, and of another realm.
 */
export function isPaymentError(thrown: unknown): thrown is PaymentError {
  const { code, retry } = Object(thrown) as Readonly<Record<string, unknown>>
  return typeof code === 'string' && typeof retry === 'string'
}
