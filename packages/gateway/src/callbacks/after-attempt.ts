import type { Delivery, DeliveryState } from '../store/delivery.ts'
import { LAST_AFTER_MS, nextWait } from './backoff.ts'
import type { CallbackAnswer, NoAnswer } from './callback-answer.ts'
import { retryAfterMs } from './retry-after.ts'

/** Only this status acknowledges (gaps part 6). */
const ACKNOWLEDGED = 200
/** The merchant wants no more of it (RFC 9110 section 15.5.11). */
const GONE = 410

export interface Attempt {
  readonly begunAt: number
  readonly answer: CallbackAnswer | NoAnswer
  /** When the answer came. */
  readonly now: number
  /** By how much `now` may be ahead of the right time. Default 0. */
  readonly aheadMs?: number
  /** From 0 to 1, for the jitter. */
  readonly fraction: number
}

/** The delivery after an attempt: over, or due again by the schedule, or later if the merchant asked for that. */
export function afterAttempt(delivery: Delivery, { begunAt, answer, now, aheadMs = 0, fraction }: Attempt): Delivery {
  const { made, firstAt = begunAt } = delivery
  const lastAnswer = 'status' in answer ? String(answer.status) : answer.reason
  const sent = { ...delivery, made: made + 1, firstAt, lastAnswer }
  const status = 'status' in answer ? answer.status : undefined
  if (status === ACKNOWLEDGED) return { ...sent, state: 'acknowledged', dueAt: undefined }
  if (status === GONE) return over(sent, 'refused', now)
  const elapsedMs = now - aheadMs - firstAt
  const wait = nextWait({ made: sent.made, elapsedMs, fraction })
  if (wait === undefined) return over(sent, 'given-up', now)
  const asked = 'status' in answer ? retryAfterMs(answer.retryAfter, now) : 0
  return { ...sent, dueAt: now + Math.min(Math.max(wait, asked), LAST_AFTER_MS - elapsedMs) }
}

/**
 * The delivery when its host must not be called yet. This does not count as an attempt. A delivery whose 14 days are over is
 * given up. They begin with the first attempt, so a delivery that an outage of the gateway held up is still sent.
 */
export function putOff(delivery: Delivery, until: number, now: number, aheadMs = 0): Delivery {
  const { firstAt } = delivery
  if (firstAt === undefined) return { ...delivery, dueAt: until }
  const end = firstAt + LAST_AFTER_MS + aheadMs
  return now >= end ? over(delivery, 'given-up', now) : { ...delivery, dueAt: Math.min(until, end) }
}

/**
 * The delivery when an operator resends it: due now, in whatever state it was. One that was over is sent once more, and
 * if it had attempts left it continues by the schedule within 14 new days.
 */
export function resend(delivery: Delivery, now: number): Delivery {
  return delivery.state === 'open'
    ? { ...delivery, dueAt: now }
    : { ...delivery, state: 'open', dueAt: now, firstAt: now, givenUpAt: undefined }
}

/** The delivery when it has no address any more. */
export function withdrawn(delivery: Delivery, now: number): Delivery {
  return over(delivery, 'given-up', now)
}

function over(delivery: Delivery, state: Extract<DeliveryState, 'refused' | 'given-up'>, now: number): Delivery {
  return { ...delivery, state, dueAt: undefined, givenUpAt: now }
}
