import type { Intent } from '@tallystick/client'
import { hasStatus, isOpening } from '../intents/states.ts'
import { asOfNow } from './absence.ts'
import { decideModification } from './modification.ts'
import { decideNotice } from './notice.ts'
import { decideOpening } from './original.ts'
import type { Circumstances, Decision, Look } from './status-result.ts'
import { decidesNothing } from './undecided.ts'
import { watchAtOf } from './watch.ts'

/** Decides what a status check means for an intent. Pure: the model and the simulation of the proofs run it as well. */
export function decideLook(asked: Intent, look: Look, at: Circumstances): Decision {
  const decision = decide(asOfNow(asked, at.now), look, at)
  return { ...decision, intent: { ...decision.intent, watchAt: watchAtOf(asked, decision.intent, look, at) } }
}

function decide(intent: Intent, look: Look, at: Circumstances): Decision {
  if (!hasStatus(intent)) return decidesNothing(intent, at)
  switch (intent.state) {
    // Nothing to decide: nothing was sent, the answer to the request is awaited, or an operator decides.
    case 'PREPARED':
    case 'NOT_SENT':
    case 'SENDING':
    case 'REVIEW':
      return decidesNothing(intent, at)
    case 'FINAL':
      return isOpening(intent) ? decideNotice(intent, look, at) : decidesNothing(intent, at)
    case 'ACCEPTED':
    case 'REJECTED':
    case 'UNKNOWN':
    case 'PRESUMED_ABSENT':
      return intent.kind === 'modification' ? decideModification(intent, look, at) : decideOpening(intent, look, at)
  }
}
