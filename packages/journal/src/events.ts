import type { Intent, IntentEndpoint, JournalOutcome } from '@tallystick/client'
import type { PaymentError } from '@tallystick/core'
import type { StrayOutcome } from './reconcile/stray-look.ts'

/** What the merchant's log and people hear of. Nothing depends on it being heard: the report shows what stands. */
export type JournalEvent =
  /** A person is needed; `intent.reviewReason` and `intent.evidence` say why. At least once, and again at each start. */
  | { readonly type: 'REVIEW'; readonly intent: Intent }
  /** Nobody will ever charge for this one, as far as can be known: a new attempt may be made. It is watched on. */
  | { readonly type: 'PRESUMED_ABSENT'; readonly intent: Intent }
  /** It was presumed absent, and it is not. */
  | { readonly type: 'ARRIVED_LATE'; readonly intent: Intent }
  /**
   * Two attempts of one business key were approved: give one back. At least once, and again at each start until that is done. Or
   * `stray` was, under the client order id of the one intent, and neither was given back: at least once, before `onStray` is told
   * of it, and where there is none once by each process.
   */
  | {
      readonly type: 'DOUBLE_CHARGE_SUSPECTED'
      readonly intents: readonly Intent[]
      readonly stray?: StrayOutcome
    }
  /**
   * An endpoint refuses the questions for a status, because of the login, the signature or the address: its intents stay open.
   * Once for each endpoint until it answers again, and again by each process and at each start; `remedy` says what to do.
   */
  | ({ readonly type: 'STATUS_REFUSED'; readonly error: PaymentError; readonly remedy: string } & IntentEndpoint)
  /**
   * The merchant's handler threw, did not end in time (`error.code` is `HANDLER_TIMEOUT`), or its transaction failed; it is
   * tried again.
   */
  | { readonly type: 'HANDLER_FAILED'; readonly outcome: JournalOutcome; readonly error: unknown }
  /** The merchant's `onStray` threw, or did not end in time (`HANDLER_TIMEOUT`, too); it is told again later. */
  | { readonly type: 'STRAY_FAILED'; readonly outcome: StrayOutcome; readonly error: unknown }
  /** Work of the reconciler failed, most likely because the store could not be reached; it is tried again. */
  | { readonly type: 'RECONCILE_FAILED'; readonly error: unknown }
  /** Other processes could not be told that there is news; they find it when they look by themselves. */
  | { readonly type: 'WAKEUP_FAILED'; readonly error: unknown }
  /** A callback of an order that nobody knows was turned away, because there are too many of these. */
  | { readonly type: 'INBOX_FULL' }
  /** The journal has a handler and has paid for a minute, and neither `start` nor `reconcile` was ever called. Once. */
  | { readonly type: 'NOT_STARTED' }

export type JournalListener = (event: JournalEvent) => void

/** A listener that throws must not take a payment with it. */
export function quietly(listener: JournalListener): JournalListener {
  const tell = async (event: JournalEvent): Promise<void> => listener(event)
  // Of what it throws, at once or later as an async one does, there is nobody left to tell.
  return (event) => void tell(event).catch(() => {})
}
