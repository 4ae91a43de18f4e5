import type { OperationResult } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { isFinalStatus, type OperationKey, redact, type Status } from '@tallystick/core'
import type { JournalParts } from '../context.ts'
import { announce } from '../events.ts'
import { moved, newestOf, updateIntent, withEvidence } from '../intents/states.ts'
import { nextCheck } from '../status/poll.ts'
import { type Decision, decided, namesOf } from '../status/status-result.ts'

/** The client's result of one exchange, whatever the operation. */
export type AnyResult = OperationResult<OperationKey>

/** What a lost reply means for a stored card, which has no status to ask for. */
interface Repeats {
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
  const common = { ...FREE, rejection: undefined, evidence: withEvidence(intent, now, seen) }
  const nextCheckAt = hasNews(intent) ? now : nextCheck(intent, now, at.fraction)
  // A repeat that was refused or never left says nothing about the first request.
  if (at.isRepeat && result.outcome !== 'accepted') return lost({ ...intent, ...common }, nextCheckAt, at)
  switch (result.outcome) {
    case 'accepted':
      return accepted({ ...intent, ...common }, result.reply, nextCheckAt)
    case 'rejected': {
      const changes = { ...common, rejection: seen, nextCheckAt: intent.kind === 'card' ? undefined : now }
      return decided(moved(intent, 'REJECTED', changes))
    }
    case 'notSent': {
      const rejection = result.error.code === 'INVALID_INPUT' ? seen : undefined
      const sentAgainAt = intent.input === undefined ? undefined : nextTry(intent, now)
      return decided(moved(intent, 'NOT_SENT', { ...common, rejection, nextCheckAt: sentAgainAt }))
    }
    case 'unknown':
      return lost({ ...intent, ...common }, nextCheckAt, at)
  }
}

const LEAST_TRY_WAIT_MS = 60_000
const LONGEST_TRY_WAIT_MS = 3_600_000

/** When the journal next tries to send a prepared intent: after as long as it has been waiting, and at least once an hour. */
export function nextTry({ createdAt }: Pick<Intent, 'createdAt'>, now: number): number {
  return now + Math.min(LONGEST_TRY_WAIT_MS, Math.max(LEAST_TRY_WAIT_MS, now - createdAt))
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

/** The result of an exchange, and whether the request had been sent before. */
interface Exchanged {
  readonly result: AnyResult
  readonly isRepeat: boolean
}

/** Writes the result of an exchange. Gives the intent as it is then. */
export async function writeResult<Transaction>(
  sending: Intent,
  { result, isRepeat }: Exchanged,
  { store, clock, fraction, emit, repeatsGetFirstAnswer, sends }: JournalParts<Transaction>,
): Promise<Intent> {
  // While it is leased, nothing writes it but a callback: most likely it is as it was.
  const known = sends.get(sending.clientOrderId) === 'called' ? undefined : sending
  const decide = (intent: Intent) => {
    const isOurs = isHeldBy(sending, intent)
    if (!isOurs && !tellsMore(intent, result)) return undefined
    const change = settled(intent, result, { now: clock.now(), fraction: fraction(), repeatsGetFirstAnswer, isRepeat })
    return [isOurs ? change : withLeaseOf(intent, change)] as const
  }
  const written = await updateIntent(store, sending.intentId, decide, known)
  if (written === undefined) return await newestOf(store, sending.intentId)
  const [change] = written
  announce(change, emit)
  return change.intent
}

/** Whether no other process took the intent over or sent it again meanwhile. */
function isHeldBy(sending: Intent, { state, leaseOwner, sends }: Intent): boolean {
  return state === 'SENDING' && leaseOwner === sending.leaseOwner && sends === sending.sends
}

/**
 * Whether a result still counts after others took the intent over from what looked like a dead process. Only that the gateway
 * accepted the request does: that is true whoever has the intent, and without it the customer of a hosted form could not go on,
 * nor could a stored card be used.
 */
function tellsMore({ state, reviewReason }: Intent, { outcome }: AnyResult): boolean {
  if (outcome !== 'accepted') return false
  if (state === 'REVIEW') return reviewReason === 'NO_STATUS'
  return state === 'SENDING' || state === 'UNKNOWN' || state === 'PRESUMED_ABSENT'
}

/** The change, which leaves the lease to the process that has it now. */
function withLeaseOf({ leaseUntil, leaseOwner }: Intent, change: Decision): Decision {
  return { ...change, intent: { ...change.intent, leaseUntil, leaseOwner } }
}
