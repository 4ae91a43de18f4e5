import type { Intent } from '@tallystick/client'
import { hasStatus, kept } from '../states.ts'
import { asOfNow } from './absence.ts'
import { type Circumstances, type Decision, decided, type Look } from './look.ts'
import { decideModification } from './modification.ts'
import { decideNotice } from './notice.ts'
import { decideOpening } from './opening.ts'

/** What a look at the status means for an intent. Pure: the model and the simulation run it too. */
export function decideLook(asked: Intent, look: Look, at: Circumstances): Decision {
  const intent = asOfNow(asked, at.now)
  if (!hasStatus(intent)) return decidesNothing(intent, at)
  switch (intent.state) {
    // Nothing was sent, or a person has it: there is nothing to decide.
    case 'PREPARED':
    case 'NOT_SENT':
    case 'SENDING':
    case 'REVIEW':
      return decidesNothing(intent, at)
    case 'FINAL':
      return intent.kind === 'opening' ? decideNotice(intent, look, at) : decidesNothing(intent, at)
    case 'ACCEPTED':
    case 'REJECTED':
    case 'UNKNOWN':
    case 'PRESUMED_ABSENT':
      return intent.kind === 'modification' ? decideModification(intent, look, at) : decideOpening(intent, look, at)
  }
}

function decidesNothing(intent: Intent, { now }: Circumstances): Decision {
  return decided(kept(intent, { lookedAt: now, nextCheckAt: undefined }))
}
