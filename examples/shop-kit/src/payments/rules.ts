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

/** The order as the rules of the interface see it: what the shop keeps is its operations, and everything else follows. */
export function ruled({ operations, currency }: ShopOrder): Order {
  const known = operations.map(({ name, ...operation }) => ({ id: name, ...operation }))
  return deriveOrder(known, { currency, ...DEFAULT_TIMES })
}

/** Which buttons the back office has, and for the others why not: asked before they are shown. */
export function buttonsOf(order: ShopOrder, at: number): readonly ActionAdvice[] {
  return allowedActions(ruled(order), at).filter(({ action }) => isBackOfficeAction(action) || action === 'store-card')
}

/** Whether something has no outcome yet. */
export function isUnderWay({ operations }: ShopOrder): boolean {
  return operations.some(({ status }) => !isFinalStatus(status))
}

/** How an order stands, in the words of the shop. */
export interface Standing {
  readonly state: string
  readonly tone: 'wait' | 'good' | 'bad'
  /** What the customer can do about it. Why a payment came to nothing is for the back office. */
  readonly advice?: string
}

export function standing(order: ShopOrder): Standing {
  const { opening, captured, cancelled, returned, chargedBack, kept } = ruled(order)
  if (!isFinalStatus(opening.status)) return { state: 'Waiting for the payment', tone: 'wait' }
  if (opening.status !== 'approved') return { state: 'Not paid', tone: 'bad', advice: NOT_PAID }
  if (chargedBack > 0n) return { state: 'Charged back', tone: 'bad' }
  if (captured === 0n) return cancelled > 0n ? { state: 'Released', tone: 'bad' } : { state: 'Reserved', tone: 'good' }
  if (kept === 0n) return { state: 'Given back', tone: 'bad' }
  return { state: returned > 0n ? 'Partly given back' : 'Paid', tone: 'good' }
}

const NOT_PAID = 'You were not charged. You can order it again, with this card or with another one.'
