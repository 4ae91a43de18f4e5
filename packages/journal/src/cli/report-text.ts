import type { Intent } from '@tallystick/client/ports'
import { orderOf, settlingOf } from '../events.ts'
import type { JournalReport } from '../outcomes/report.ts'

/** A report for a terminal. */
export function reportText(report: JournalReport): string {
  const { unknown, open, review, differingAmounts, presumedAbsent, notSent, suspectedDoubles, orphans, openOutcomes } =
    report
  const counts = Object.entries(report.counts).map(([state, count]) => `${state} ${count}`)
  return [
    `intents: ${counts.join(', ') || 'none'}`,
    section('double charge suspected', suspectedDoubles),
    section('differing amounts', differingAmounts),
    section('in review', review),
    section('unknown', unknown),
    section('accepted, without an outcome', open),
    section('presumed absent', presumedAbsent),
    section('never sent', notSent),
    `callbacks of unknown orders: ${orphans.length}`,
    ...orphans.map(({ clientOrderId, orderId, callbacks }) =>
      line(`  ${clientOrderId}  order ${orderId}  ${callbacks} times`),
    ),
    `outcomes that the handler was not told: ${openOutcomes}`,
    '',
  ].join('\n')
}

function section(title: string, intents: readonly Intent[]): string {
  return [`${title}: ${intents.length}`, ...intents.map((intent) => line(shown(intent)))].join('\n')
}

/** Replaces control characters: a key or a gateway's message may hold line breaks, or move the terminal's cursor. */
export function line(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

function shown(intent: Intent): string {
  const { intentId, state, reviewReason, evidence } = intent
  const last = evidence.at(-1)
  const names = orderOf(intent)
  const seen = last === undefined ? '' : `; ${new Date(last.at).toISOString()} ${last.seen}`
  if (state !== 'REVIEW') return `  ${names}: ${state}${seen}`
  return `  ${names}: ${reviewReason}${seen}; ${settlingOf(intentId)}`
}
