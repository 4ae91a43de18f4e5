import type { Intent, OperationResult } from '@tallystick/client'
import { isFinalStatus, type OperationKey, redact, type Status } from '@tallystick/core'
import { withEvidence } from '../intents/evidence.ts'
import { moved } from '../intents/states.ts'
import { namesOf } from '../status/intent-names.ts'
import { nextCheck } from '../status/next-check.ts'
import { type Decision, decided } from '../status/status-result.ts'

/** The client's result of one exchange, whatever the operation. */
export type AnyResult = OperationResult<OperationKey>

/** What a lost reply means for a stored card, which has no status to ask for. */
export interface Repeats {
  readonly repeatsGetFirstAnswer: boolean
}

interface SettledAt extends Repeats {
  readonly now: number
  readonly fraction: number
  /** Whether the request had been sent before, and may have taken effect then. */
  readonly isRepeat: boolean
}

/** What to write after an exchange, and which events to report. */
export function settled(intent: Intent, result: AnyResult, at: SettledAt): Decision {
  const { now } = at
  const seen = result.outcome === 'accepted' ? 'accepted' : redact(result.error.message)
  const told = { ...FREE, rejection: undefined, evidence: withEvidence(intent, now, seen) }
  const nextCheckAt = hasNews(intent) ? now : nextCheck(intent, now, at.fraction)
  // A repeat that was refused or never left says nothing about the first request.
  if (at.isRepeat && result.outcome !== 'accepted') return lost({ ...intent, ...told }, nextCheckAt, at)
  switch (result.outcome) {
    case 'accepted':
      return accepted({ ...intent, ...told }, result.reply, nextCheckAt)
    case 'rejected': {
      const changes = { ...told, rejection: seen, nextCheckAt: intent.kind === 'card' ? undefined : now }
      return decided(moved(intent, 'REJECTED', changes))
    }
    case 'notSent': {
      const rejection = result.error.code === 'INVALID_INPUT' ? seen : undefined
      return decided(moved(intent, 'NOT_SENT', { ...told, rejection, nextCheckAt: undefined }))
    }
    case 'unknown':
      return lost({ ...intent, ...told }, nextCheckAt, at)
  }
}

/** Whether a callback of it was faster than its reply. */
function hasNews({ wokenAt, sentAt = 0 }: Intent): boolean {
  return wokenAt !== undefined && wokenAt >= sentAt
}

/** No process has the intent leased. */
export const FREE = { leaseUntil: undefined, leaseOwner: undefined } as const

/** What to write if nothing is known of an exchange: the sending process died, or the reply was lost. */
export function lost(intent: Intent, nextCheckAt: number, { repeatsGetFirstAnswer }: Repeats): Decision {
  if (intent.kind !== 'card') return decided(moved(intent, 'UNKNOWN', { ...FREE, nextCheckAt }))
  if (repeatsGetFirstAnswer) return decided(moved(intent, 'UNKNOWN', { ...FREE, nextCheckAt: undefined }))
  const changes = { ...FREE, reviewReason: 'NO_STATUS', nextCheckAt: undefined } as const
  return decided(moved(intent, 'REVIEW', changes), [], ['REVIEW'])
}

type AcceptedReply = Extract<AnyResult, { readonly outcome: 'accepted' }>['reply']

/** The fields that the replies of the operations may have. */
interface ReplyFields {
  readonly orderId?: string | undefined
  readonly serialNumber?: string | undefined
  readonly redirectUrl?: string | undefined
  readonly cardRefId?: string | undefined
  readonly recurringPaymentId?: string | undefined
  readonly status?: string | undefined
}

function accepted(intent: Intent, reply: AcceptedReply, nextCheckAt: number): Decision {
  const { orderId, serialNumber, redirectUrl, cardRefId, recurringPaymentId, status: word = '' }: ReplyFields = reply
  if (intent.kind !== 'card') {
    const ids = { serialNumber, redirectUrl, orderId: intent.kind === 'modification' ? intent.orderId : orderId }
    return decided(moved(intent, 'ACCEPTED', { ...ids, nextCheckAt }))
  }
  const reference = cardRefId ?? recurringPaymentId
  // A card or schedule with a reference exists. A status that is not final, such as `processing`, is not of a transaction
  // (gaps part 3.4).
  return stored(intent, { serialNumber, reference, status: isFinalStatus(word) ? word : 'approved' })
}

/** What to write of a card or a schedule that is at the gateway. */
export function stored(
  intent: Intent,
  named: Partial<Pick<Intent, 'serialNumber' | 'reference'>> & { readonly status: Status },
): Decision {
  const final = moved(intent, 'FINAL', { ...named, nextCheckAt: undefined, reviewReason: undefined })
  return decided(final, [{ kind: 'outcome', ...namesOf(final), status: named.status, reference: final.reference }])
}
