import { exponentOf } from '@tallystick/core'
import type { Instruction } from '../acquirer/acquirer.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Service } from './service.ts'

/** An operation as the acquirer gets it. */
export function instructionFor(
  { orderId, terms, details }: StoredOrder,
  { id, kind, amount, prepared = '', outcome: { comment } }: StoredOperation,
  { profile }: Pick<Service, 'profile'>,
): Instruction {
  const { pages } = details
  const browser = pages === undefined ? undefined : { baseUrl: profile.baseUrl, pageToken: pages.token }
  const { currency } = terms
  const decimals = exponentOf(currency, profile.exponents)
  return { reference: id, kind, prepared, orderId, amount, currency, decimals, comment, browser }
}
