import type { Intent, IntentState } from '@tallystick/client/ports'
import type { PaymentError, ReplyValues } from '@tallystick/core'
import type { JournaledOperation, OperationName } from '../intents/operation-facts.ts'
import { isUnconfirmed } from '../intents/states.ts'

/** How a payment stands after a call of `pay`. In every case `intent` is what is stored, and `error` is there or `undefined`. */
export type PayResult<K extends OperationName> =
  /** The gateway took it; its outcome follows. `reply` is set if it was taken just now. */
  | { readonly outcome: 'accepted'; readonly intent: Intent; readonly reply?: ReplyOf<K>; readonly error: undefined }
  /** Decided: `intent.status`. */
  | { readonly outcome: 'final'; readonly intent: Intent; readonly reply?: ReplyOf<K>; readonly error: undefined }
  /**
   * The gateway refused it, and the status confirmed that nothing was created; or it could not be sent in five tries. Fix the
   * request, and make the next attempt. `error` is set if it was refused just now.
   */
  | { readonly outcome: 'rejected'; readonly intent: Intent; readonly error: PaymentError | undefined }
  /**
   * Of `payoutPay`: nothing was sent, because the money of this payout has left before, by another request. There is nothing to
   * fix, and it must not be paid another way. `intent.rejection` names the business key of that request, if it was one of this
   * journal.
   */
  | (K extends 'payoutPay'
      ? { readonly outcome: 'paidBefore'; readonly intent: Intent; readonly error: undefined }
      : never)
  /** Not one byte left. Call `pay` again with the same arguments and the card: it is sent five times at most. */
  | { readonly outcome: 'notSent'; readonly intent: Intent; readonly error: PaymentError | undefined }
  /**
   * It may have taken effect, or another process that sends it has no answer yet. The reconciler finds out; there is nothing to
   * do. `error` is what was seen, if it was sent just now: for the log, it decides nothing.
   */
  | { readonly outcome: 'unknown'; readonly intent: Intent; readonly error: PaymentError | undefined }
  /**
   * It never arrived, as far as anyone can know. Someone, or a policy of yours, may make the next attempt. If you asked for the
   * next one, it was not sent: the gateway did not answer when the status of this one was checked once more, or a callback of it
   * came just then. Ask for it again later.
   */
  | { readonly outcome: 'absent'; readonly intent: Intent; readonly error: undefined }
  /** Someone must decide. */
  | { readonly outcome: 'review'; readonly intent: Intent; readonly error: undefined }
  /** The business key stands for another request, which is open or was approved; or the order is being changed. */
  | { readonly outcome: 'conflict'; readonly intent: Intent; readonly error: undefined }

type ReplyOf<K extends OperationName> = K extends JournaledOperation ? ReplyValues<K> : never

/** How an intent stands, whatever its operation and without the reply. */
export interface Standing {
  readonly outcome: PayResult<JournaledOperation>['outcome']
  readonly intent: Intent
  readonly error: PaymentError | undefined
}

const OUTCOMES: Readonly<Record<IntentState, Standing['outcome']>> = {
  PREPARED: 'notSent',
  NOT_SENT: 'notSent',
  SENDING: 'unknown',
  UNKNOWN: 'unknown',
  ACCEPTED: 'accepted',
  REJECTED: 'rejected',
  FINAL: 'final',
  PRESUMED_ABSENT: 'absent',
  REVIEW: 'review',
}

/** How an intent stands, as `pay` would return it, with nothing sent or asked. */
export function standingOf(intent: Intent): Standing {
  if (intent.isPaidBefore) return { outcome: 'paidBefore', intent, error: undefined }
  return { outcome: isUnconfirmed(intent) ? 'unknown' : OUTCOMES[intent.state], intent, error: undefined }
}

/** How a call stands whose key, or whose order, another request has. */
export function conflictWith(intent: Intent): Standing {
  return { outcome: 'conflict', intent, error: undefined }
}
