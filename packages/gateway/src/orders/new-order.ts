import type { OrderTerms } from '@tallystick/core'
import { type OpeningKind, openOrder, type StateRefusal } from '@tallystick/core/internal'
import { operationId } from './operations.ts'
import type { OrderDetails, OrderPages, StoredOrder } from './order.ts'

/** What an order is opened with, once its request is verified and validated. */
interface NewOrder {
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
  readonly token: string | undefined
  readonly at: number
}

/** The terms of an order at an endpoint. */
export function termsOf(
  currency: string,
  { settleAfter, holdFor, payoutCheckFor }: Omit<OrderTerms, 'currency'>,
): OrderTerms {
  return { currency, settleAfter, holdFor, payoutCheckFor }
}

type OpenedOrder =
  | { readonly ok: true; readonly order: StoredOrder }
  | { readonly ok: false; readonly refusal: StateRefusal }

/** The order with its first operation: `sent` if the acquirer has the card, otherwise `created`. */
export function newOrder({ serialNumber, kind, amount, token, at, ...kept }: NewOrder): OpenedOrder {
  const id = operationId(kept.orderId, 0)
  const opened = openOrder({ ...kept.terms, id, kind, amount, at })
  if (!opened.allowed) return { ok: false, refusal: opened }
  const status = token === undefined ? 'created' : 'sent'
  const operation = { ...opened.order.opening, status, serialNumber, token, outcome: {} } as const
  return { ok: true, order: { ...kept, version: 1, createdAt: at, operations: [operation] } }
}

/** The order without the sealed fields of its form: the acquirer has them, or will never get them. */
export function withoutParticulars(order: StoredOrder): StoredOrder {
  if (order.details.pages?.requestFields === undefined) return order
  const { requestFields: _, ...pages } = order.details.pages
  return { ...order, details: { ...order.details, pages } }
}

/** Where an order's pages are, below the base path. They match the routes of the pages. */

export function formPath({ token }: Pick<OrderPages, 'token'>): string {
  return `/form/${token}`
}

/** Where the gateway takes the customer through 3DS. */
export function threeDsPath({ token }: Pick<OrderPages, 'token'>): string {
  return `/3ds/redirect/${token}`
}
