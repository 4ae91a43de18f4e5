import type { Intent, IntentChange, NewOutcome, Observation } from '@tallystick/client'
import type { Exponents, ReplyValues } from '@tallystick/core'
import { minorUnitsOf } from '../operation-facts.ts'

/** What one question about an order brought. */
export type Look =
  | { readonly kind: 'found'; readonly reply: ReplyValues<'status'> }
  /** A signed question was answered: there is no such order. */
  | { readonly kind: 'absent'; readonly seen: string }
  /** Asked for by both of its ids, a signed question was answered: under our id there is another order. */
  | { readonly kind: 'other'; readonly orderId: string }
  /** Nothing that tells of the order: no answer, a refusal, an answer that was mixed up. */
  | { readonly kind: 'silent'; readonly seen: string }

/** What a decision is made from, besides the intent and the look. */
export interface Circumstances {
  readonly now: number
  /** From 0 to 1: moves the next look by up to a fifth. */
  readonly fraction: number
  readonly exponents: Exponents
  /** When the gateway last told of an order that exists, as of before this look. */
  readonly lastAnswerAt: number | undefined
  /** Of the same order, those that the merchant has asked for here. */
  readonly modifications: readonly Intent[]
}

/** Something that a person or a log should hear of. */
export type DecisionEvent = 'REVIEW' | 'PRESUMED_ABSENT' | 'ARRIVED_LATE'

/** What follows from a look: the write, and who hears of it. */
export interface Decision extends IntentChange {
  readonly events: readonly DecisionEvent[]
  /** Whether the order was changed again since: by what the status shows, it is no more as the modification has left it. */
  readonly isChangedSince?: boolean
}

export function decided(
  intent: Intent,
  outcomes: readonly NewOutcome[] = [],
  events: readonly DecisionEvent[] = [],
): Decision {
  return { intent, outcomes, events }
}

/** What a status tells of an order, as far as it is compared later. One that names no currency is of the one that was asked for. */
export function observationOf(reply: ReplyValues<'status'>, exponents: Exponents, asked?: string): Observation {
  const { status, transactionType, orderStage, currency = asked } = reply
  const [amount, initialAmount] = [reply.amount, reply.initialAmount].map((one) =>
    minorUnitsOf(one, currency, exponents),
  )
  return { status, transactionType, orderStage, amount, initialAmount, currency }
}
