import type { Intent, IntentChange, NewOutcome, Observation } from '@tallystick/client/ports'
import type { Exponents, ReplyValues } from '@tallystick/core'
import { type Processed, processed } from '@tallystick/core/internal'
import { minorUnitsOf } from '../intents/operation-facts.ts'
import { noted } from '../intents/states.ts'

/** The result of one status check of an order. */
export type StatusResult =
  | { readonly kind: 'found'; readonly reply: ReplyValues<'status'> }
  /** The gateway answered a signed status request: there is no such order. */
  | { readonly kind: 'absent'; readonly seen: string }
  /** The gateway answered a signed status request that named both ids: under our id there is another order. */
  | { readonly kind: 'other'; readonly orderId: string }
  /** Nothing about the order was learned: no answer, a refusal, a mixed-up answer. */
  | { readonly kind: 'silent'; readonly seen: string }

/** What an operator's decision depends on besides the intent. */
export interface Present {
  readonly now: number
  /** The modifications of the same order that the merchant has asked for through this journal. */
  readonly modifications: readonly Intent[]
}

/** What a decision depends on besides the intent and the result. */
export interface Circumstances extends Present {
  /** By how much `now` may be ahead of the right time: nothing is too old for that. Default 0. */
  readonly aheadMs?: number
  /** How long after its payment an approved order is watched. Default 0: not at all. */
  readonly watchMs?: number
  /** From 0 to 1: moves the next status check by up to a fifth. */
  readonly fraction: number
  readonly exponents: Exponents
  /** When the endpoint last answered for an order that exists, before this check. */
  readonly lastAnswerAt: number | undefined
}

/** Something that an operator or a log should know of. */
type DecisionEvent = 'REVIEW' | 'PRESUMED_ABSENT' | 'REFUSED' | 'ARRIVED_LATE'

/** What follows from a result: what to write, and which events to report. */
export interface Decision extends IntentChange {
  readonly events: readonly DecisionEvent[]
  /** Whether something changed the order again after this modification, as the status shows. */
  readonly isChangedSince?: boolean
}

export function decided(
  intent: Intent,
  outcomes: readonly NewOutcome[] = [],
  events: readonly DecisionEvent[] = [],
): Decision {
  return { intent, outcomes, events }
}

/** The parts of a status that are compared later, why it came to nothing, when, and how the bank names it. A status that names no currency is in the one that was asked for. */
export function observationOf(reply: ReplyValues<'status'>, exponents: Exponents, asked?: string): Observation {
  const { status, transactionType, orderStage, currency = asked } = reply
  const [amount, initialAmount] = [reply.amount, reply.initialAmount].map((one) =>
    minorUnitsOf(one, currency, exponents),
  )
  const [errorCode, errorMessage] = [reply.errorCode, reply.errorMessage].map((one) => one && noted(one))
  const shown = { status, transactionType, orderStage, amount, initialAmount, currency, errorCode, errorMessage }
  return { ...shown, ...processed(reply) }
}

/** All the names by which an outcome identifies its intent. */
export function namesOf({ intentId, businessKey, operation, clientOrderId, orderId }: Intent) {
  return { intentId, businessKey, operation, clientOrderId, orderId }
}

type Named = Pick<Intent, 'orderId'>

/**
 * Whether an intent with the same client order id belongs to this intent's order. Several orders may share an id; if this intent
 * does not know its order yet, the answer is yes.
 */
export function isOfOrder({ orderId }: Named, intent: Named): boolean {
  return intent.orderId === undefined || intent.orderId === orderId
}

/** Why an outcome is not approved, as its status says. If it is, a reason is that of something else, such as a refused change. */
export function reasonOf(
  { status }: Pick<NewOutcome, 'status'>,
  { errorCode, errorMessage }: Observation,
): Pick<NewOutcome, 'errorCode' | 'errorMessage'> {
  return status === 'approved' ? {} : { errorCode, errorMessage }
}

/** When the operation was processed that a status shows, and how the bank names it. */
export function processedOf({ processedAt, references }: Observation): Processed {
  return {
    ...(processedAt === undefined ? {} : { processedAt }),
    ...(references === undefined ? {} : { references }),
  }
}

/** By how much the amount kept has changed, in minor units, without a sign. */
export function differenceOf(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const difference = BigInt(after) - BigInt(before)
  return String(difference < 0n ? -difference : difference)
}

/**
 * By how much the amount kept has become less. `undefined`: an amount is not known, or it has not, so it must mean something
 * else.
 */
export function lessBy(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const less = BigInt(before) - BigInt(after)
  return less > 0n ? String(less) : undefined
}
