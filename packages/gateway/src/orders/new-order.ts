import { type OpeningKind, type OrderTerms, openOrder, type StateRefusal } from '@tallystick/core'
import { operationId } from './operations.ts'
import type { OrderDetails, StoredOrder } from './order.ts'

/** What an order is opened with, once its request is verified and validated. */
export interface NewOrder {
  readonly orderId: string
  readonly serialNumber: string
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  readonly digest: string
  readonly signedAs: string | undefined
  readonly kind: OpeningKind
  /** In minor units. */
  readonly amount: bigint
  readonly terms: OrderTerms
  readonly details: OrderDetails
  /** The acquirer's reference for the card. Absent: a hosted page asks for the card first. */
  readonly prepared: string | undefined
  readonly at: number
}

/** The terms of an order at an endpoint. */
export function termsOf(
  currency: string,
  { settleAfter, holdFor, payoutCheckFor }: Omit<OrderTerms, 'currency'>,
): OrderTerms {
  return { currency, settleAfter, holdFor, payoutCheckFor }
}

export type OpenedOrder =
  | { readonly ok: true; readonly order: StoredOrder }
  | { readonly ok: false; readonly refusal: StateRefusal }

/** The order with its first operation: `sent` if the acquirer has the card, otherwise `created`. */
export function newOrder({ serialNumber, kind, amount, prepared, at, ...kept }: NewOrder): OpenedOrder {
  const id = operationId(kept.orderId, 0)
  const opened = openOrder({ ...kept.terms, id, kind, amount, at })
  if (!opened.allowed) return { ok: false, refusal: opened }
  const status = prepared === undefined ? 'created' : 'sent'
  const operation = { ...opened.order.opening, status, serialNumber, prepared, outcome: {} } as const
  return { ok: true, order: { ...kept, version: 1, createdAt: at, operations: [operation] } }
}
