import type { Intent } from '@tallystick/client/ports'
import { NoReplyError, type ReplyValues } from '@tallystick/core'
import { moved } from '../../../journal/src/intents/states.ts'
import { lost, settled } from '../../../journal/src/pay/settle.ts'
import { decideStatus } from '../../../journal/src/status/decide.ts'
import type { StatusResult } from '../../../journal/src/status/status-result.ts'
import { intentWith } from '../../../journal/test/intents.ts'
import type { Policy, Seen } from './policy.ts'

/** The journal's own decisions: the functions that it runs, not a copy of them. */
export const journalPolicy: Policy<Intent> = {
  name: 'the journal',
  begin: (attempt, now) => {
    const prepared = intentWith({ attempt, clientOrderId: `order-${attempt}`, createdAt: now })
    return bare(moved(prepared, 'SENDING', { sentAt: now, sends: 1 }))
  },
  orphaned: (intent, now) => (intent.state === 'SENDING' ? bare(lost(intent, now, SETTINGS).intent) : intent),
  accepted: (intent, now) => {
    if (intent.state !== 'SENDING') return intent
    const reply = { type: 'async-response', orderId: orderIdOf(intent), extra: {} }
    return bare(settled(intent, { outcome: 'accepted', reply }, { now, ...SETTINGS }).intent)
  },
  lost: (intent, now) => {
    if (intent.state !== 'SENDING') return intent
    const error = new NoReplyError({ operation: 'SALE', seen: 'nothing' })
    return bare(settled(intent, { outcome: 'unknown', error, resolve }, { now, ...SETTINGS }).intent)
  },
  looked: (intent, { seen, now, lastAnswerAt }) => {
    const at = { now, lastAnswerAt, fraction: 0.5, exponents: 'always-2', modifications: [] } as const
    return bare(decideStatus(intent, lookOf(intent, seen), at).intent)
  },
  sendsAgain: () => undefined,
  beliefOf: ({ state }) => (state === 'FINAL' ? 'charged' : state === 'PRESUMED_ABSENT' ? 'absent' : 'open'),
  isWatched: ({ state, nextCheckAt }) => state === 'FINAL' || state === 'SENDING' || nextCheckAt !== undefined,
}

const SETTINGS = { repeatsGetFirstAnswer: false, isRepeat: false, fraction: 0.5 }

async function resolve(): Promise<never> {
  throw new Error('The journal asks by itself')
}

function orderIdOf({ attempt }: Intent): string {
  return `10000000000000${attempt}`
}

function lookOf(intent: Intent, seen: Seen): StatusResult {
  if (seen !== 'found') return { kind: seen, seen }
  const reply: ReplyValues<'status'> = {
    type: 'status-response',
    status: 'approved',
    transactionType: 'sale',
    orderId: orderIdOf(intent),
    clientOrderId: intent.clientOrderId,
    initialAmount: '10.42',
    amount: '10.42',
    currency: 'USD',
    extra: {},
  }
  return { kind: 'found', reply }
}

/**
 * The intent without what affects no decision, so that states with the same future are one. In the model no status check is
 * late, and absences are counted up to three.
 */
function bare(intent: Intent): Intent {
  const { nextCheckAt, absences } = intent
  const seldom = { version: 1, evidence: [], observed: undefined, lookedAt: undefined }
  return {
    ...intent,
    ...seldom,
    nextCheckAt: nextCheckAt === undefined ? undefined : 0,
    absences: Math.min(3, absences),
  }
}
