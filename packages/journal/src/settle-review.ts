import type { Intent, IntentChange } from '@tallystick/client'
import { checkOptions, type Kind, type Kinds, kind } from '@tallystick/core'
import { NO_ABSENCE } from './decide/absence.ts'
import { type Circumstances, decided } from './decide/look.ts'
import { takeStatus } from './decide/take-status.ts'
import { withEvidence } from './evidence.ts'
import { filledText } from './filled-text.ts'
import type { Reconciler } from './reconcile/reconciler.ts'
import { stored } from './sending/settle.ts'
import { hasStatus, moved } from './states.ts'

/**
 * What someone decided about an intent in review:
 *
 * - `ask-again`: poll the status again, from the start.
 * - `take-status`: take what the status said as the outcome although it differs, if it is an outcome at all.
 * - `nothing-charged`: nothing was charged, and the next attempt may be made. From then on only a status that differs from the
 *   one in review counts as a change.
 * - `{ reference }`: the card or the recurring payment is at the gateway, which shows this id for it. That becomes the outcome.
 */
export type ReviewDecision = 'ask-again' | 'take-status' | 'nothing-charged' | { readonly reference: string }

const NAMED = kind.oneOf('ask-again', 'take-status', 'nothing-charged')
const REFERENCE = filledText("'531396663215663'")

const DECISION: Kind = {
  wanted: `${NAMED.wanted} or { reference: ${REFERENCE.wanted} }`,
  isRight: (value) => NAMED.isRight(value) || REFERENCE.isRight(Object(value).reference),
}

const KINDS: Kinds<{ readonly decision: ReviewDecision; readonly note: string }> = {
  decision: kind.required(DECISION),
  note: kind.required(filledText("'agreed with the customer by telephone'")),
}

/** @throws TypeError when the intent is not in review, or the decision cannot be made about it */
export async function settleReview(
  intentId: string,
  decision: ReviewDecision,
  note: string,
  reconciler: Pick<Reconciler, 'settle'>,
): Promise<Intent> {
  checkOptions('journal.settleReview', { decision, note }, KINDS)
  return await reconciler.settle(intentId, (intent, at) => {
    if (intent.state !== 'REVIEW') throw new TypeError(`The intent ${intentId} is not in review: it is ${intent.state}`)
    const evidence = withEvidence(intent, at.now, `${wordOf(decision)}: ${note}`)
    return afterDecision({ ...intent, evidence }, decision, at)
  })
}

function wordOf(decision: ReviewDecision): string {
  return typeof decision === 'string' ? decision : `reference ${decision.reference}`
}

function afterDecision(intent: Intent, decision: ReviewDecision, at: Circumstances): IntentChange {
  if (typeof decision === 'object') return found(intent, decision.reference)
  switch (decision) {
    case 'ask-again':
      requireStatus(intent)
      return decided(moved(intent, 'UNKNOWN', { ...NO_ABSENCE, reviewReason: undefined, nextCheckAt: at.now }))
    case 'nothing-charged':
      return decided(moved(intent, 'PRESUMED_ABSENT', { nextCheckAt: hasStatus(intent) ? at.now : undefined }))
    case 'take-status':
      requireStatus(intent)
      return taken(intent, at)
  }
}

function requireStatus(intent: Intent): void {
  if (hasStatus(intent)) return
  throw new TypeError(
    `The intent ${intent.intentId} stores a card, which has no status to ask for: look at the gateway, and decide { reference } or nothing-charged`,
  )
}

function found(intent: Intent, reference: string): IntentChange {
  if (!hasStatus(intent)) return stored(intent, { reference, status: 'approved' })
  throw new TypeError(`The intent ${intent.intentId} makes no reference, but has a status: take that`)
}

function taken(intent: Intent, at: Circumstances): IntentChange {
  const change = takeStatus(intent, at)
  if (change !== undefined) return change
  throw new TypeError(`The intent ${intent.intentId} has been shown no final status of its own: ask again`)
}
