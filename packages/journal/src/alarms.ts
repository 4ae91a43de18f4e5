import type { Intent } from '@tallystick/client'
import type { JournalEvent } from './events.ts'

/** The default listener: a Node warning for what an operator has to see to, on the error stream by default. */
export function warnOf(event: JournalEvent): void {
  const alarm = alarmOf(event)
  if (alarm !== undefined) process.emitWarning(alarm, { type: 'JournalWarning', code: event.type })
}

/** What an operator has to see to, in one line. `undefined`: the report is enough. */
function alarmOf(event: JournalEvent): string | undefined {
  switch (event.type) {
    case 'REVIEW':
      return `${orderOf(event.intent)}: needs a decision, ${event.intent.reviewReason}; ${settlingOf(event.intent.intentId)}`
    case 'DOUBLE_CHARGE_SUSPECTED':
      return `${event.intents[0]?.businessKey} may have been charged twice, by the orders ${ordersOf(event)}: refund one`
    case 'TAKEN_OVER':
      return `${takenOver(event.intents)}: find out what became of its tables`
    case 'STATUS_REFUSED':
      return event.remedy
    case 'HANDLER_FAILED':
      return `the handler of ${event.outcome.key} failed and is called again: ${String(event.error)}`
    case 'STRAY_FAILED':
      return `${event.outcome.kind === 'notice' ? 'onStrayNotice' : 'onStray'} of ${event.outcome.key} failed and is called again: ${String(event.error)}`
    case 'RECONCILE_FAILED':
      return `${String(event.error)}; it is tried again`
    case 'STRAY_UNHEARD':
      return 'a callback named an order that no intent has, such as a charge of a schedule: give onStray and onStrayNotice, or see the report'
    case 'INBOX_FULL':
      return 'callbacks of unknown orders are turned away: give onStray and onStrayNotice, or see the report'
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

function ordersOf({ intents, stray }: Extract<JournalEvent, { type: 'DOUBLE_CHARGE_SUSPECTED' }>): string {
  return [...intents, ...(stray === undefined ? [] : [stray])].map(({ orderId }) => orderId).join(' and ')
}

/** By what an operator finds an intent, here and at the gateway. */
export function orderOf({ businessKey, attempt, operation, clientOrderId, orderId }: Intent): string {
  return `${businessKey}, attempt ${attempt}: ${operation} ${clientOrderId}, order ${orderId ?? 'not known'}`
}

/** What an operator does about an intent in review. */
export function settlingOf(intentId: string): string {
  return `look at the gateway, then tallystick-journal settle ${intentId}, or journal.settleReview('${intentId}', ...)`
}
