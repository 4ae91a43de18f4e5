import {
  type ActionAdvice,
  allowedActions,
  DEFAULT_TIMES,
  deriveOrder,
  isFinalStatus,
  type Order,
} from '@tallystick/core'
import type { ShopOrder } from '../rows/order.ts'

/** What a back office can ask for on an order. */
export type BackOfficeAction = 'capture' | 'return' | 'void'

const ACTIONS: readonly string[] = ['capture', 'return', 'void'] satisfies BackOfficeAction[]

export function isBackOfficeAction(action: string): action is BackOfficeAction {
  return ACTIONS.includes(action)
}

/** The order as the rules of the interface see it: the shop stores its operations, and everything else follows from them. */
export function ruled({ operations, currency }: ShopOrder): Order {
  const known = operations.map(({ name, ...operation }) => ({ id: name, ...operation }))
  return deriveOrder(known, { currency, ...DEFAULT_TIMES })
}

/** The buttons of the back office: which are allowed, and for the others why not. */
export function buttonsOf(order: ShopOrder, at: number): readonly ActionAdvice[] {
  return allowedActions(ruled(order), at).filter(({ action }) => isBackOfficeAction(action) || action === 'store-card')
}

/** Whether some operation has no outcome yet. */
export function isUnderWay({ operations }: ShopOrder): boolean {
  return operations.some(({ status }) => !isFinalStatus(status))
}

/** How an order stands, in the words of the shop. */
export interface Standing {
  readonly state: string
  readonly tone: 'wait' | 'good' | 'bad'
  /** What the customer can do about it. Only the back office shows why a payment came to nothing. */
  readonly advice?: string
}

export function standing(order: ShopOrder): Standing {
  const { opening, captured, cancelled, returned, chargedBack, kept } = ruled(order)
  if (!isFinalStatus(opening.status)) return { state: 'Waiting for the payment', tone: 'wait' }
  if (opening.status !== 'approved') return { state: 'Not paid', tone: 'bad', advice: NOT_PAID }
  if (chargedBack > 0n) return { state: 'Charged back', tone: 'bad' }
  if (captured === 0n) return cancelled > 0n ? { state: 'Released', tone: 'bad' } : { state: 'Reserved', tone: 'good' }
  if (kept === 0n) return { state: 'Refunded', tone: 'bad' }
  return { state: returned > 0n ? 'Partly refunded' : 'Paid', tone: 'good' }
}

const NOT_PAID = 'You were not charged. You can order again, with this card or another one.'
