import type { Delivery, DeliveryState } from './delivery.ts'
import { retryAfterMs } from './retry-after.ts'
import { LAST_AFTER_MS, nextWait } from './schedule.ts'
import type { CallbackAnswer, NoAnswer } from './send-callback.ts'

/** Only this status acknowledges (gaps part 6). */
const ACKNOWLEDGED = 200
/** The merchant wants no more of it (RFC 9110 section 15.5.11). */
const GONE = 410

export interface Attempt {
  readonly begunAt: number
  readonly answer: CallbackAnswer | NoAnswer
  /** When the answer was there. */
  readonly now: number
  /** From 0 to 1, for the jitter. */
  readonly fraction: number
}

/** The delivery after an attempt: over, or due again by the schedule, later where the merchant asked for it. */
export function afterAttempt(delivery: Delivery, { begunAt, answer, now, fraction }: Attempt): Delivery {
  const { made, firstAt = begunAt } = delivery
  const lastAnswer = 'status' in answer ? String(answer.status) : answer.reason
  const sent = { ...delivery, made: made + 1, firstAt, lastAnswer }
  const status = 'status' in answer ? answer.status : undefined
  if (status === ACKNOWLEDGED) return over(sent, 'acknowledged')
  if (status === GONE) return over(sent, 'refused')
  const wait = nextWait({ made: sent.made, elapsedMs: now - firstAt, fraction })
  if (wait === undefined) return over(sent, 'given-up')
  const asked = 'status' in answer ? retryAfterMs(answer.retryAfter, now) : 0
  return { ...sent, dueAt: Math.min(now + Math.max(wait, asked), firstAt + LAST_AFTER_MS) }
}

/**
 * The delivery when its host is not to be called yet. It is no attempt; one whose 14 days are over is given up. They begin
 * with the first attempt: what a long outage of the gateway kept from being sent at all is still sent.
 */
export function putOff(delivery: Delivery, until: number, now: number): Delivery {
  const { firstAt } = delivery
  if (firstAt === undefined) return { ...delivery, dueAt: until }
  const end = firstAt + LAST_AFTER_MS
  return now >= end ? over(delivery, 'given-up') : { ...delivery, dueAt: Math.min(until, end) }
}

/**
 * The delivery as a person has it sent again: due now, whatever became of it. One that was over is sent once more, and
 * goes on by the schedule in 14 new days if it had attempts left.
 */
export function resend(delivery: Delivery, now: number): Delivery {
  return delivery.state === 'open'
    ? { ...delivery, dueAt: now }
    : { ...delivery, state: 'open', dueAt: now, firstAt: now }
}

/** The delivery where nobody wants to hear of it any more. */
export function withdrawn(delivery: Delivery): Delivery {
  return over(delivery, 'given-up')
}

function over(delivery: Delivery, state: Exclude<DeliveryState, 'open'>): Delivery {
  return { ...delivery, state, dueAt: undefined }
}
