import { tableOf } from './funds.ts'
import type { DrawingKind, OperationKind } from './operation-kinds.ts'
import type { Order } from './order.ts'

/** Who decides that an action happens. */
export type Actor = 'merchant' | 'gateway' | 'issuer'

/** What can be done with an order, and which operation it makes. */
interface ActionFacts {
  readonly by: Actor
  /** The operation that it makes, by the kind that it acts on. */
  readonly makes: Readonly<Partial<Record<OperationKind, DrawingKind>>>
  /** From when it acts on the captures of a preauth order instead of the preauth. Left out: never. */
  readonly actsOnCaptures?: 'once any' | 'once all' | 'always'
  /** Whether a part of the funds may be named. Left out: never. */
  readonly partial?: 'always' | 'reversals'
  /** The rule that refuses it on every other kind. */
  readonly otherwise: { readonly rule: string; readonly reason: string }
}

/** Specification part 3, rules 1 to 7. */
export const ORDER_ACTIONS = tableOf<Readonly<Record<string, ActionFacts>>>()({
  /** Captures funds that a preauth holds, all that is left or a part. */
  capture: {
    by: 'merchant',
    makes: { preauth: 'capture' },
    partial: 'always',
    otherwise: { rule: 'S3-02', reason: 'only a preauth can be captured' },
  },
  /** Cancels what is not captured; before settlement reverses a sale or a full capture. */
  void: {
    by: 'merchant',
    makes: { preauth: 'cancel', sale: 'reversal', capture: 'reversal' },
    actsOnCaptures: 'once all',
    otherwise: { rule: 'G12-07', reason: 'only a preauth, a sale or a capture can be voided' },
  },
  /** Releases the hold of a preauth, or returns what was sold or captured, all that is left or a part. */
  return: {
    by: 'merchant',
    makes: { preauth: 'cancel', sale: 'reversal', capture: 'reversal' },
    actsOnCaptures: 'once any',
    partial: 'reversals',
    otherwise: { rule: 'S3-04', reason: 'only a preauth, a sale or a capture can be returned' },
  },
  /** Executes a payout that was checked. */
  pay: {
    by: 'merchant',
    makes: { 'payout-check': 'payout-pay' },
    otherwise: { rule: 'S3-07', reason: 'only a payout that was checked can be paid' },
  },
  /** Takes back what was sold or captured, all that is left or a part. */
  chargeback: {
    by: 'issuer',
    makes: { sale: 'chargeback', capture: 'chargeback' },
    actsOnCaptures: 'always',
    partial: 'always',
    otherwise: { rule: 'G13-22', reason: 'only captured or sold funds can be charged back' },
  },
  /** Releases what is still on hold once the hold has expired. */
  release: {
    by: 'gateway',
    makes: { preauth: 'cancel' },
    otherwise: { rule: 'G13-17', reason: 'only the hold of a preauth expires' },
  },
})

/** What may follow the operation that opened an order. */
export type OrderAction = keyof typeof ORDER_ACTIONS

/** The kinds of operation that an action can make. */
export type CreatedBy<A extends OrderAction> = A extends OrderAction
  ? Extract<(typeof ORDER_ACTIONS)[A]['makes'][keyof (typeof ORDER_ACTIONS)[A]['makes']], DrawingKind>
  : never

export const ACTION_NAMES = Object.keys(ORDER_ACTIONS) as readonly OrderAction[]

/** The facts of an action, with those that it leaves out as `undefined`. */
export function actionFacts(action: OrderAction): ActionFacts {
  return ORDER_ACTIONS[action]
}

/** The kind of operation that an action makes on this order, or `undefined` if it does not fit it (gaps part 13). */
export function kindMade(action: OrderAction, order: Order): DrawingKind | undefined {
  const { makes, actsOnCaptures } = actionFacts(action)
  if (order.opening.kind !== 'preauth') return makes[order.opening.kind]
  const onCaptures = actsOnCaptures !== undefined && hasCome(actsOnCaptures, order)
  return makes[onCaptures ? 'capture' : 'preauth']
}

/** Whether this much of the order is captured. */
function hasCome(point: 'once any' | 'once all' | 'always', { authorized, captured }: Order): boolean {
  return { 'once any': captured > 0n, 'once all': captured === authorized, always: true }[point]
}
