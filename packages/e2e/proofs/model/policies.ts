import type { Intent } from '@tallystick/client/ports'
import { NoReplyError, type ReplyValues } from '@tallystick/core'
import { moved } from '../../../journal/src/intents/states.ts'
import { lost, settled } from '../../../journal/src/pay/settle.ts'
import { decideStatus } from '../../../journal/src/status/decide.ts'
import type { StatusResult } from '../../../journal/src/status/status-result.ts'
import { intentWith } from '../../../journal/test/intents.ts'

export type Belief =
  /** Not decided: the client goes on asking. */
  | 'open'
  | 'charged'
  /** It was not charged, and will not be: the client makes a new attempt. */
  | 'absent'

/** What a status check may find in the model. */
export type Seen = Exclude<StatusResult['kind'], 'other'>

export interface LookedAt {
  readonly seen: Seen
  readonly now: number
  /** When the gateway last answered for another order, before this status check. */
  readonly lastAnswerAt: number | undefined
}

/** How a client deals with one attempt. What it remembers is durable, and plain data. */
export interface Policy<Memory> {
  readonly name: string
  /** Written, and about to be sent. */
  begin(attempt: number, now: number): Memory
  /** The process that was sending it died. */
  orphaned(memory: Memory, now: number): Memory
  accepted(memory: Memory, now: number): Memory
  /** No reply came by the deadline. */
  lost(memory: Memory, now: number): Memory
  looked(memory: Memory, look: LookedAt): Memory
  /** What it remembers if it sends the request once more now. `undefined`: it does not. */
  sendsAgain(memory: Memory, now: number): Memory | undefined
  beliefOf(memory: Memory): Belief
  /** Whether it will ever check the status again. */
  isWatched(memory: Memory): boolean
}

/** What a careless client remembers of an attempt. */
interface Naive {
  readonly belief: Belief
  readonly isBeingSent: boolean
  readonly absences: number
  readonly sends: number
}

const BEGUN: Naive = { belief: 'open', isBeingSent: true, absences: 0, sends: 1 }
const MOST_SENDS = 2

/** What the three have in common: they believe a reply, and a status that was found. */
function naive(
  name: string,
  { absent, sendsAgain }: { absent: (memory: Naive) => Naive; sendsAgain: (memory: Naive) => boolean },
): Policy<Naive> {
  const over = (memory: Naive): Naive => ({ ...memory, isBeingSent: false })
  const seen: Readonly<Record<Seen, (memory: Naive) => Naive>> = {
    found: (memory) => ({ ...memory, belief: 'charged' }),
    absent,
    silent: (memory) => memory,
  }
  return {
    name,
    begin: () => BEGUN,
    orphaned: over,
    lost: over,
    accepted: (memory) => ({ ...over(memory), belief: 'charged' }),
    looked: (memory, look) => seen[look.seen](memory),
    sendsAgain: (memory) =>
      !memory.isBeingSent && memory.belief === 'open' && memory.sends < MOST_SENDS && sendsAgain(memory)
        ? { ...memory, isBeingSent: true, absences: 0, sends: memory.sends + 1 }
        : undefined,
    beliefOf: ({ belief }) => belief,
    isWatched: ({ belief }) => belief !== 'absent',
  }
}

const counted = (memory: Naive): Naive => ({ ...memory, absences: Math.min(2, memory.absences + 1) })

/**
 * Policies that look reasonable and that many shops have. The model must show that each of them fails, else it proves nothing.
 */
export const naivePolicies = [
  naive('send again on time-out', { absent: counted, sendsAgain: () => true }),
  naive('send again on "not found"', { absent: counted, sendsAgain: ({ absences }) => absences > 0 }),
  naive('"not found" twice is final', {
    absent: (memory) => (memory.absences > 0 ? { ...counted(memory), belief: 'absent' } : counted(memory)),
    sendsAgain: () => false,
  }),
]

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
    return bare(settled(intent, { outcome: 'accepted', reply, error: undefined }, { now, ...SETTINGS }).intent)
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
