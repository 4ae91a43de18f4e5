import type { Intent, IntentChange, JournalStore } from '@tallystick/client/ports'
import { checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
import type { JournalParts } from '../context.ts'
import { filledText } from '../intents/endpoint.ts'
import { hasStatus, moved, updateIntent, withEvidence } from '../intents/states.ts'
import { stored } from '../pay/settle.ts'
import { NO_ABSENCE } from '../status/absence.ts'
import { takeStatus } from '../status/decide.ts'
import { decided, type Present } from '../status/status-result.ts'
import { modificationsOf, suspectDoubleCharges, withOpening } from './order-intents.ts'

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

type Named = Extract<ReviewDecision, string>

const NAMED = validator.oneOf('ask-again', 'take-status', 'nothing-charged')
const REFERENCE = filledText("'531396663215663'")

const DECISION: Validator = {
  wanted: `${NAMED.wanted} or { reference: ${REFERENCE.wanted} }`,
  isRight: (value) => NAMED.isRight(value) || REFERENCE.isRight(Object(value).reference),
}

const KINDS: Validators<{ readonly decision: ReviewDecision; readonly note: string }> = {
  decision: validator.required(DECISION),
  note: validator.required(filledText("'agreed with the customer by telephone'")),
}

interface SettlingParts extends Pick<JournalParts<undefined>, 'clock' | 'emit'> {
  readonly store: Pick<JournalStore, 'find' | 'update' | 'ofOrder' | 'attemptsOf'>
}

/**
 * Writes the decision, its outcome for the process that has the handler, and who said so, in one transaction.
 *
 * @param version Of the intent that was shown to the operator, who must not decide about another version. Default: any
 * @throws TypeError when the intent is not in review, or the decision cannot be made about it
 */
export async function resolveReview(
  intentId: string,
  decision: ReviewDecision,
  note: string,
  parts: SettlingParts,
  version?: number,
): Promise<Intent> {
  const { store, clock } = parts
  checkOptions('journal.resolveReview', { decision, note }, KINDS)
  const written = await updateIntent(store, intentId, async (fresh) => {
    const { state } = fresh
    if (state !== 'REVIEW') throw new TypeError(`The intent ${intentId} is not in review: it is ${state}`)
    if (version !== undefined && version !== fresh.version) {
      throw new TypeError(`The intent ${intentId} has changed since it was shown: look at it again`)
    }
    const at = { now: clock.now(), modifications: await modificationsOf(fresh, store) }
    const evidence = withEvidence(fresh, at.now, `${wordOf(decision)}: ${note}`)
    return await withOpening(fresh, afterDecision({ ...fresh, evidence }, decision, at), parts)
  })
  await suspectDoubleCharges(written, parts)
  return written[0].intent
}

/** The decisions that can be made about an intent in review. */
export function possibleDecisions(intent: Intent, at: Present): readonly (Named | 'reference')[] {
  if (!hasStatus(intent)) return ['reference', 'nothing-charged']
  const isShown = takeStatus(intent, at) !== undefined
  return isShown ? ['take-status', 'nothing-charged', 'ask-again'] : ['nothing-charged', 'ask-again']
}

function wordOf(decision: ReviewDecision): string {
  return typeof decision === 'string' ? decision : `reference ${decision.reference}`
}

function afterDecision(intent: Intent, decision: ReviewDecision, at: Present): IntentChange {
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

function taken(intent: Intent, at: Present): IntentChange {
  const change = takeStatus(intent, at)
  if (change !== undefined) return change
  throw new TypeError(`The intent ${intent.intentId} has been shown no final status of its own: ask again`)
}
