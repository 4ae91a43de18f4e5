import type { IntentEndpoint } from '@tallystick/client/internal'
import type { Intent, JournalOutcome } from '@tallystick/client/ports'
import type { PaymentError } from '@tallystick/core'
import { errorUrl } from '@tallystick/core/internal'
import type { OrphanNotice, OrphanOutcome } from './intents/orphan-outcome.ts'
import type { Decision } from './status/status-result.ts'

/** What the merchant's log and operators are notified of. Nothing depends on it being heard: the report shows what stands. */
export type JournalEvent =
  /** Someone must decide; `intent.reviewReason` and `intent.evidence` say why. At least once, and again at each start. */
  | { readonly type: 'REVIEW'; readonly intent: Intent }
  /** Nobody will ever charge for this one, as far as anyone can know: you may make a new attempt. It is watched further. */
  | { readonly type: 'PRESUMED_ABSENT'; readonly intent: Intent }
  /**
   * `pay` returned `unknown`, or the journal has sent it itself, and by now it is certain that it was refused and created nothing:
   * you may make a new attempt.
   */
  | { readonly type: 'REFUSED'; readonly intent: Intent }
  /**
   * It was prepared, its caller did not come to `pay` it in time (`sendPreparedAfterMs`), and the journal does not send it: it needs
   * the card or the customer, or could not be sent, as `intent.evidence` says. Call `pay` with the same key and input. At least once;
   * the report has it under `notSent`.
   */
  | { readonly type: 'PREPARED_WAITS'; readonly intent: Intent }
  /**
   * The gateway has orders of a key that the store did not know: it was lost, or restored from an older copy. They are attempts of
   * the key now, and are not sent again. Others may be missing as well.
   */
  | { readonly type: 'TAKEN_OVER'; readonly intents: readonly Intent[] }
  /** It was presumed absent, and it is not. */
  | { readonly type: 'ARRIVED_LATE'; readonly intent: Intent }
  /**
   * The customer may have been charged twice: refund one. Either two attempts of one business key were approved: reported at
   * least once, and again at each start until one is refunded in full. Or `orphan`, an order with the client order id of the one
   * intent, was approved as well, and neither was refunded: reported at least once, before `onOrphan` is called with it; without
   * `onOrphan`, once by each process.
   */
  | {
      readonly type: 'DOUBLE_CHARGE_SUSPECTED'
      readonly intents: readonly Intent[]
      readonly orphan?: OrphanOutcome | OrphanNotice
    }
  /**
   * An endpoint refuses status checks because of the login, the signature or the address, so its intents stay open. Reported
   * once for each endpoint until it answers again, by each process and at each start anew; `remedy` says what to do.
   */
  | ({ readonly type: 'STATUS_REFUSED'; readonly error: PaymentError; readonly remedy: string } & IntentEndpoint)
  /**
   * The merchant's handler threw, did not end in time (`error.code` is `HANDLER_TIMEOUT`), or its transaction failed. It is
   * called again.
   */
  | { readonly type: 'HANDLER_FAILED'; readonly outcome: JournalOutcome; readonly error: unknown }
  /**
   * The merchant's `onOrphan` or `onOrphanNotice` threw, or did not end in time (also `HANDLER_TIMEOUT`). It is called again later.
   */
  | { readonly type: 'ORPHAN_FAILED'; readonly outcome: OrphanOutcome | OrphanNotice; readonly error: unknown }
  /** A status check or a write failed, most likely because the store could not be reached. It is tried again. */
  | { readonly type: 'RECONCILE_FAILED'; readonly error: unknown }
  /** Other processes could not be notified of a change. They find it at their next poll. */
  | { readonly type: 'WAKEUP_FAILED'; readonly error: unknown }
  /**
   * A callback named an order without an intent, such as a charge of a recurring payment, and the journal has a handler but no
   * `onOrphan` to be called with it. Once; the report lists all such orders.
   */
  | { readonly type: 'ORPHAN_UNHEARD' }
  /** A callback of an unknown order was turned away, because there are too many of these. */
  | { readonly type: 'INBOX_FULL' }
  /**
   * The clock was set by a minute or more, or this machine stood still. Below 0: back. What was planned by the wrong time is done
   * at the right one; nothing is given up as too old for an hour after a jump ahead. Once for each jump, by each process.
   */
  | { readonly type: 'CLOCK_SET'; readonly byMs: number }
  /** The journal has a handler and has been paying for a minute, but neither `start` nor `reconcile` was called. Once. */
  | { readonly type: 'NOT_STARTED' }

export type JournalListener = (event: JournalEvent) => void

/** Reports the events of a decision. */
export function announce({ events, intent }: Pick<Decision, 'events' | 'intent'>, emit: JournalListener): void {
  for (const type of events) emit({ type, intent })
}

/** Wraps a listener so that its errors cannot break a payment. */
export function quietly(listener: JournalListener): JournalListener {
  const emit = async (event: JournalEvent): Promise<void> => listener(event)
  // Nobody is left to report its errors to, whether it throws at once or, if async, later.
  return (event) => void emit(event).catch(() => {})
}

/** The default listener: a Node warning for what an operator has to see to, on the error stream by default. */
export function warnOf(event: JournalEvent): void {
  const alarm = alarmOf(event)
  if (alarm === undefined) return
  const code = event.type === 'REVIEW' ? (event.intent.reviewReason ?? event.type) : event.type
  process.emitWarning(alarm, { type: 'JournalWarning', code: event.type, detail: errorUrl('journal', code) })
}

/** What an operator has to see to, in one line. `undefined`: the report is enough. */
function alarmOf(event: JournalEvent): string | undefined {
  switch (event.type) {
    case 'REVIEW':
      return `${orderOf(event.intent)}: needs a decision, ${event.intent.reviewReason}; ${settlingOf(event.intent.intentId)}`
    case 'PREPARED_WAITS':
      return `${orderOf(event.intent)}: prepared, and its caller did not come: call journal.pay with the same key and input`
    case 'DOUBLE_CHARGE_SUSPECTED':
      return `${event.intents[0]?.businessKey} may have been charged twice, by the orders ${ordersOf(event)}: refund one`
    case 'TAKEN_OVER':
      return `${takenOver(event.intents)}: find out what became of its tables`
    case 'STATUS_REFUSED':
      return event.remedy
    case 'HANDLER_FAILED':
      return `the handler of ${event.outcome.key} failed and is called again: ${String(event.error)}`
    case 'ORPHAN_FAILED':
      return `${event.outcome.kind === 'notice' ? 'onOrphanNotice' : 'onOrphan'} of ${event.outcome.key} failed and is called again: ${String(event.error)}`
    case 'RECONCILE_FAILED':
      return `${String(event.error)}; it is tried again`
    case 'ORPHAN_UNHEARD':
      return 'a callback named an order that no intent has, such as a charge of a schedule: give onOrphan and onOrphanNotice, or see the report'
    case 'INBOX_FULL':
      return 'callbacks of unknown orders are turned away: give onOrphan and onOrphanNotice, or see the report'
    case 'CLOCK_SET':
      return `the clock was set ${event.byMs > 0 ? 'ahead' : 'back'} by ${Math.round(Math.abs(event.byMs) / 1000)} s: set it by NTP`
    case 'NOT_STARTED':
      return 'no outcome reaches the handler: call journal.start(), or leave the handler to the process that does'
    default:
      return undefined
  }
}

function takenOver(intents: readonly Intent[]): string {
  const orders = intents.map(({ clientOrderId }) => clientOrderId).join(' and ')
  return `${intents[0]?.businessKey} was sent before, which the store did not know (found at the gateway: ${orders})`
}

function ordersOf({ intents, orphan }: Extract<JournalEvent, { type: 'DOUBLE_CHARGE_SUSPECTED' }>): string {
  return [...intents, ...(orphan === undefined ? [] : [orphan])].map(({ orderId }) => orderId).join(' and ')
}

/** By what an operator finds an intent, here and at the gateway. */
export function orderOf({ businessKey, attempt, operation, clientOrderId, orderId }: Intent): string {
  return `${businessKey}, attempt ${attempt}: ${operation} ${clientOrderId}, order ${orderId ?? 'not known'}`
}

/** What an operator does about an intent in review. */
export function settlingOf(intentId: string): string {
  return `look at the gateway, then tallystick-journal settle ${intentId}, or journal.resolveReview('${intentId}', ...)`
}
