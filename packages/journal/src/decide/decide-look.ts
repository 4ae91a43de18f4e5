import type { Intent } from '@tallystick/client'
import { kept } from '../states.ts'
import { type Circumstances, type Decision, decided, type Look } from './look.ts'
import { decideModification } from './modification.ts'
import { decideNotice } from './notice.ts'
import { decideOpening } from './opening.ts'

/** What a look at the status means for an intent. Pure: the model and the simulation run it too. */
export function decideLook(intent: Intent, look: Look, at: Circumstances): Decision {
  switch (intent.state) {
    // Nothing was sent, or a person has it: there is nothing to decide.
    case 'PREPARED':
    case 'NOT_SENT':
    case 'SENDING':
    case 'REVIEW':
      return decided(kept(intent, { lookedAt: at.now, nextCheckAt: undefined }))
    case 'FINAL':
      if (intent.kind === 'opening') return decideNotice(intent, look, at)
      return decided(kept(intent, { lookedAt: at.now, nextCheckAt: undefined }))
    case 'ACCEPTED':
    case 'REJECTED':
    case 'UNKNOWN':
    case 'PRESUMED_ABSENT':
      return intent.kind === 'modification' ? decideModification(intent, look, at) : decideOpening(intent, look, at)
  }
}
