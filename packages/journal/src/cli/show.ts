import type { NamedOrders } from '@tallystick/client/internal'
import type { Intent, Observation, OrphanOrder, ReviewReason, StoredOutcome } from '@tallystick/client/ports'
import { fromMinorUnits, redact } from '@tallystick/core'
import { exponentOf } from '@tallystick/core/internal'
import { isUnconfirmed } from '../intents/states.ts'
import { modificationsAmong } from '../reconcile/order-intents.ts'
import { possibleDecisions } from '../reconcile/review.ts'
import { systemClock } from '../runtime/system.ts'
import type { Command } from './arguments.ts'
import { withJournal } from './open-journal.ts'

/** Shows all that the journal knows of a name. */
export async function show({ place, called, isJson }: Extract<Command, { readonly name: 'show' }>): Promise<string> {
  return await withJournal(place, async (store) => {
    const found = await store.named(called)
    if (found.intents.length + found.orphans.length === 0) throw notKnown(called)
    if (isJson) return `${JSON.stringify({ name: called, ...found }, undefined, 2)}\n`
    const now = systemClock.now()
    const texts = [...found.intents.map((intent) => intentText(intent, found, now)), ...found.orphans.map(orphanText)]
    return `${texts.join('\n\n')}\n`
  })
}

/** The name may be anything that somebody has pasted. */
export function notKnown(called: string): Error {
  return new Error(
    `${line(redact(called))} is not known: it must be a whole business key, client order id, order id of the gateway, intent id or ` +
      'reference, as `report` shows them; upper and lower case matter',
  )
}

/** An intent for a terminal, with its outcomes and, in review, what can be decided. */
export function intentText(intent: Intent, { intents, outcomes }: NamedOrders, now: number): string {
  const { intentId, clientOrderId, orderId, reference, evidence, observed } = intent
  const own = outcomes.filter(({ outcome }) => outcome.intentId === intentId)
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['state', stateText(intent)],
    ['amount', amountsText(intent)],
    ['intent', intentId],
    ['client order id', clientOrderId],
    ['order', orderId ?? 'not known yet'],
    ['reference', reference],
    ['endpoint', intent.endpointId ?? (intent.endpointGroupId && `group ${intent.endpointGroupId}`)],
    ['written', timeText(intent.createdAt)],
    ['sent', intent.sentAt === undefined ? 'never' : `${timeText(intent.sentAt)}${times(intent.sends)}`],
    [
      'last status',
      observed && `${observationText(observed)}${intent.lookedAt ? `, asked ${timeText(intent.lookedAt)}` : ''}`,
    ],
    ['next check', nextText(intent, now)],
    ...own.map((one) => ['handler', outcomeText(one)] as const),
    ...evidence.map(({ at, seen }) => ['seen', `${timeText(at)} ${seen}`] as const),
    ...decisionRows(intent, intents, now),
  ]
  const shown = rows.filter(([, text]) => text !== undefined && text !== '')
  const title = `${intent.businessKey}, attempt ${intent.attempt}: ${intent.operation}`
  return [line(title), ...shown.map(([name, text]) => line(`  ${name.padEnd(16)} ${text}`))].join('\n')
}

function times(sends: number): string {
  return sends === 1 ? '' : `, ${sends} times`
}

function timeText(at: number): string {
  return new Date(at).toISOString()
}

/** A check that is overdue for longer than a process takes to do it. */
const OVERDUE_MS = 60_000

function nextText({ nextCheckAt, leaseUntil = 0 }: Intent, now: number): string {
  if (nextCheckAt === undefined) return 'none'
  const isOverdue = now - nextCheckAt > OVERDUE_MS && leaseUntil < now
  return `${timeText(nextCheckAt)}${isOverdue ? ': overdue, no process of the shop does it' : ''}`
}

const REASONS: Readonly<Record<ReviewReason, string>> = {
  AMOUNT_DIFFERS: 'the gateway shows another amount or currency than was asked for',
  ORDER_DIFFERS: 'the gateway names another order than before, or one without its id',
  CHANGED_OTHERWISE: 'the order changed, but not as this would change it',
  PART_UNCHANGED: 'the order is as it was before, and an equal change would look the same',
  NO_STATUS: 'the reply was lost, and there is no status to ask for',
  TOO_OLD: 'no outcome within thirty days',
}

function stateText(intent: Intent): string {
  const { state, status = '', rejection = '', reviewReason } = intent
  switch (state) {
    case 'PREPARED':
      return `PREPARED: written, and never sent; ${waitingText(intent)}`
    case 'SENDING':
      return 'SENDING: may have been sent, the reply is not there yet'
    case 'ACCEPTED':
      return 'ACCEPTED: the gateway took it, there is no outcome yet'
    case 'REJECTED':
      return `REJECTED: refused${isUnconfirmed(intent) ? ', the status is still to confirm it' : ', nothing was charged'}; ${rejection}`
    case 'NOT_SENT':
      return `NOT_SENT: nothing has left, nothing was charged; ${rejection}`
    case 'UNKNOWN':
      return 'UNKNOWN: may have been charged; the shop is asking for its status'
    case 'FINAL':
      return `FINAL: ${status}`
    case 'PRESUMED_ABSENT':
      return 'PRESUMED_ABSENT: never arrived, as far as anyone can know; it is watched'
    case 'REVIEW':
      return `REVIEW: someone must decide, ${reviewReason}${reviewReason === undefined ? '' : `: ${REASONS[reviewReason]}`}`
  }
}

function waitingText({ input, nextCheckAt }: Intent): string {
  if (nextCheckAt === undefined) return 'it waits for its caller: journal.pay with the same key and input'
  return input === undefined
    ? 'its caller has time until the next check'
    : 'if its caller does not come, the next check sends it'
}

/** The profile says how many decimals a currency has, and only the shop knows it: where two rules differ, no decimals are shown. */
function amountText(minor: string, currency: string | undefined): string {
  const [one, other] = (['always-2', 'iso-4217'] as const).map((rule) =>
    fromMinorUnits(minor, exponentOf(currency, rule)),
  )
  const amount = one === other ? one : `${minor} minor units`
  return `${amount} ${currency ?? ''}`.trimEnd()
}

function amountsText({ amounts, currency }: Intent): string {
  return amounts.map((minor) => amountText(minor, currency)).join(' or ')
}

function observationText({ status, amount, currency, transactionType, errorCode, errorMessage }: Observation): string {
  const of = amount === undefined ? '' : ` of ${amountText(amount, currency)}`
  const why = [errorCode, errorMessage].filter((one) => one !== undefined).join(' ')
  return `${status}${of}${transactionType === undefined ? '' : ` (${transactionType})`}${why === '' ? '' : `: ${why}`}`
}

function outcomeText({ outcome, failures, handledAt }: StoredOutcome): string {
  const what = `${outcome.kind} ${observationText(outcome)}`
  if (handledAt !== undefined) return `had ${what}, ${timeText(handledAt)}`
  return `waits for ${what}${failures === 0 ? '' : `; it failed ${failures === 1 ? 'once' : `${failures} times`}`}`
}

/** What each decision means for the command line. */
const DECISIONS = {
  'take-status': ['--as take-status', 'the last status is the outcome'],
  'nothing-charged': ['--as nothing-charged', 'nothing was charged, the next attempt may be made'],
  'ask-again': ['--as ask-again', 'the shop asks for the status again'],
  reference: ['--reference ID', 'it is at the gateway, under this id'],
} as const

function decisionRows(intent: Intent, intents: readonly Intent[], now: number): readonly (readonly [string, string])[] {
  if (intent.state !== 'REVIEW') return []
  const ofId = intents.filter(({ clientOrderId }) => clientOrderId === intent.clientOrderId)
  const possible = possibleDecisions(intent, { now, modifications: modificationsAmong(ofId, intent) })
  return [
    ['decide', `look at the gateway, then: tallystick-journal settle ${intent.intentId} --by WHO --because WHY`],
    ...possible.map((one) => ['', `${DECISIONS[one][0].padEnd(20)} ${DECISIONS[one][1]}`] as const),
  ]
}

function orphanText({
  clientOrderId,
  orderId,
  status,
  amount,
  currency,
  callbacks,
  receivedAt,
  wokenAt,
  reported,
}: OrphanOrder): string {
  return [
    `${clientOrderId}: no payment of this journal; callbacks name it`,
    `  order            ${orderId}`,
    `  callbacks        ${callbacks}, ${timeText(receivedAt)} to ${timeText(wokenAt)}; the last says ${status} ${amount ?? ''} ${currency ?? ''}`.trimEnd(),
    `  onOrphan          ${reported === undefined ? 'was not called with it' : `was called with ${observationText(reported)}`}`,
  ]
    .map(line)
    .join('\n')
}

/** Replaces control characters: a key or a gateway's message may hold line breaks, or move the terminal's cursor. */
export function line(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
