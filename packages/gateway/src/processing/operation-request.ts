import { exponentOf } from '@tallystick/core'
import type { Instruction, PastOperation, PaymentOrigin } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { referencesOf } from '../orders/bank-references.ts'
import { openingOperation } from '../orders/operations.ts'
import type { PastPayment, StoredOperation, StoredOrder } from '../orders/order.ts'

/** An operation as the acquirer gets it. */
export function instructionFor(
  order: StoredOrder,
  { id, kind, amount, prepared = '', outcome: { comment } }: StoredOperation,
  { profile }: Pick<Service, 'profile'>,
): Instruction {
  const { orderId, terms, details } = order
  const { pages } = details
  const browser = pages === undefined ? undefined : { baseUrl: profile.baseUrl, pageToken: pages.token }
  const { currency } = terms
  const decimals = exponentOf(currency, profile.exponents)
  const history = historyBefore(id, order)
  const origin = originOf(order)
  return { reference: id, kind, prepared, orderId, amount, currency, decimals, ...origin, history, comment, browser }
}

/** For whom an order is, whatever asks about it: each operation of it, and the form that is sent for it. */
export function originOf({ login, endpointId, clientOrderId, details }: OrderNames): PaymentOrigin {
  const { groupId, initiatedBy = 'cardholder', firstPayment } = details.origin ?? {}
  return { login, endpointId, groupId, clientOrderId, initiatedBy, firstPayment }
}

type OrderNames = Pick<StoredOrder, 'login' | 'endpointId' | 'clientOrderId' | 'details'>

function historyBefore(id: string, order: StoredOrder): readonly PastOperation[] {
  const index = order.operations.findIndex((operation) => operation.id === id)
  return order.operations.slice(0, index).map((operation) => {
    const { kind, status, amount } = operation
    return { ...pastOperation(order, operation), kind, status, amount }
  })
}

/** What was paid first, as an order knows it that others go on from. */
export function paidFirst(order: StoredOrder | undefined): PastPayment | undefined {
  if (order === undefined) return undefined
  const opening = openingOperation(order)
  const { firstPayment } = order.details.origin ?? {}
  return firstPayment ?? (opening.status === 'approved' ? pastOperation(order, opening) : undefined)
}

function pastOperation(
  { orderId, clientOrderId }: StoredOrder,
  { id, statusAt, outcome }: StoredOperation,
): PastPayment {
  return { reference: id, orderId, clientOrderId, at: statusAt, ...referencesOf(outcome) }
}
