import type { Intent, NewOutcome, Observation } from '@tallystick/client'
import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import { withEvidence } from '../evidence.ts'
import { kept, sameObservation } from '../states.ts'
import { namesOf } from './intent-names.ts'
import { type Circumstances, type Decision, decided, type Look, observationOf } from './look.ts'
import { nextCheck } from './next-check.ts'

/**
 * What a look means for an order whose opening is final: whether something happened to it since, a reversal or a
 * chargeback that the merchant has not asked for here. What is kept tells two equal ones apart, which look alike.
 */
export function decideNotice(intent: Intent, look: Look, at: Circumstances): Decision {
  const { now, fraction, exponents } = at
  if (look.kind !== 'found' || isAnother(intent, look.reply))
    return decided(kept(intent, { lookedAt: now, ...again(intent, now, fraction) }))
  const { observed: before } = intent
  const observed = observationOf(look.reply, exponents)
  // Of what the merchant has asked for here its own intent tells.
  if (at.modifications.some(({ holdsOrder }) => holdsOrder)) {
    return decided(kept(intent, { lookedAt: now, ...again(intent, now, fraction) }))
  }
  if (before === undefined || sameObservation(before, observed)) {
    return decided(kept(intent, { observed, lookedAt: now, nextCheckAt: undefined }))
  }
  // It is under way: what becomes of it is asked for.
  if (!isFinalStatus(observed.status)) return decided(kept(intent, { lookedAt: now, ...again(intent, now, fraction) }))
  const evidence = withEvidence(intent, now, `${observed.transactionType ?? 'order'} ${observed.status}`)
  const told = kept(intent, { observed, lookedAt: now, nextCheckAt: undefined, evidence })
  return decided(told, noticeOf(told, before, observed))
}

/** Whether it tells of another order under the same client order id. */
function isAnother({ orderId }: Intent, reply: ReplyValues<'status'>): boolean {
  return orderId !== undefined && orderId !== reply.orderId
}

/** Asked again by the schedule, counted from the callback; not for ever. */
function again(intent: Intent, now: number, fraction: number): Pick<Intent, 'nextCheckAt'> {
  const { wokenAt = now } = intent
  const isOver = now - wokenAt > ONE_DAY_MS
  return { nextCheckAt: isOver ? undefined : nextCheck({ ...intent, sentAt: wokenAt }, now, fraction) }
}

const ONE_DAY_MS = 24 * 60 * 60_000

/** What the merchant is told of a change of the order. */
export function noticeOf(intent: Intent, before: Observation, observed: Observation): readonly NewOutcome[] {
  const notice: NewOutcome = {
    kind: 'notice',
    ...namesOf(intent),
    status: observed.status,
    transactionType: observed.transactionType,
    amount: differenceOf(before.amount, observed.amount),
    currency: intent.currency,
    kept: observed.amount,
  }
  return [notice]
}

/** By how much what is kept has changed, in minor units. */
export function differenceOf(before: string | undefined, after: string | undefined): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const difference = BigInt(after) - BigInt(before)
  return String(difference < 0n ? -difference : difference)
}
