import type { Intent, NewOutcome } from '@tallystick/client'
import { checkOptions, isFinalStatus, type Kinds, kind } from '@tallystick/core'
import { withEvidence } from './evidence.ts'
import { filledText } from './filled-text.ts'
import type { JournalParts } from './options.ts'
import { moved } from './states.ts'
import { updateIntent } from './update-intent.ts'

/**
 * What a person decided about an intent in review: the status is asked again, from the start; what the status said is
 * taken as it is, though it differs; or nothing was charged, and the next attempt may be made.
 */
export type ReviewDecision = 'ask-again' | 'take-status' | 'nothing-charged'

const DECISIONS = ['ask-again', 'take-status', 'nothing-charged'] satisfies ReviewDecision[]

const KINDS: Kinds<{ readonly decision: ReviewDecision; readonly note: string }> = {
  decision: kind.required(kind.oneOf(...DECISIONS)),
  note: kind.required(filledText("'agreed with the customer by telephone'")),
}

/** @throws TypeError when the intent is not in review, or the status that is to be taken is not final */
export async function settleReview<Transaction>(
  intentId: string,
  decision: ReviewDecision,
  note: string,
  { store, clock }: JournalParts<Transaction>,
): Promise<Intent> {
  checkOptions('journal.settleReview', { decision, note }, KINDS)
  const written = await updateIntent(store, intentId, (intent) => {
    if (intent.state !== 'REVIEW') throw new TypeError(`The intent ${intentId} is not in review: it is ${intent.state}`)
    const now = clock.now()
    return [
      afterDecision({ ...intent, evidence: withEvidence(intent, now, `${decision}: ${note}`) }, decision, now),
    ] as const
  })
  const [change] = written ?? []
  if (change === undefined) throw new Error('A decision writes something')
  return change.intent
}

function afterDecision(intent: Intent, decision: ReviewDecision, now: number) {
  switch (decision) {
    case 'ask-again':
      return written(
        moved(intent, 'UNKNOWN', { reviewReason: undefined, nextCheckAt: now, absences: 0, firstAbsenceAt: undefined }),
      )
    case 'nothing-charged':
      return written(moved(intent, 'PRESUMED_ABSENT', { nextCheckAt: now }))
    case 'take-status':
      return taken(intent)
  }
}

function written(intent: Intent, outcomes: readonly NewOutcome[] = []) {
  return { intent, outcomes }
}

function taken(intent: Intent) {
  const { intentId, businessKey, operation, clientOrderId, orderId, currency, observed } = intent
  if (observed === undefined || !isFinalStatus(observed.status)) {
    throw new TypeError(`The status that the intent ${intentId} was told is not final: ask again`)
  }
  const { status, transactionType, amount } = observed
  const final = moved(intent, 'FINAL', { status, nextCheckAt: undefined })
  const names = { intentId, businessKey, operation, clientOrderId, orderId }
  return written(final, [{ kind: 'outcome', ...names, status, transactionType, amount, currency, kept: amount }])
}
