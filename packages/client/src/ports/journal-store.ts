import type { Intent, IntentEndpoint, JournalOutcome, NewOutcome, Observation } from './intent.ts'

/** What may not be twice. */
export type IntentConflict =
  /** The business key has an active attempt, or this attempt. */
  | 'business-key'
  | 'client-order-id'
  /** Another modification of the order is active. */
  | 'order'

export type Inserted = { readonly ok: true } | { readonly ok: false; readonly conflict: IntentConflict }

/** An intent as it is to be, written where it still has the version before. */
export interface IntentChange {
  readonly intent: Intent
  readonly outcomes: readonly NewOutcome[]
}

/** Asks for what is due, for this process alone. */
export interface IntentClaim {
  readonly now: number
  readonly leaseUntil: number
  readonly owner: string
  readonly limit: number
}

/** What somebody who waits for the next thing to do has to be told of. */
export interface DueHorizon {
  /** What is due later than that may be left out. */
  readonly until: number
  /** Whether outcomes count: only a process with a handler waits for them. */
  readonly withOutcomes: boolean
}

/** What a process is at, for this process alone until then. */
export interface IntentRenewal {
  readonly intentIds: readonly string[]
  readonly owner: string
  readonly leaseUntil: number
}

/** A callback of the inbox. Nothing of it is believed: it says which order has news. */
export interface InboxEntry {
  readonly clientOrderId: string
  readonly orderId: string
  readonly status: string
  readonly type?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly receivedAt: number
}

/**
 * An order that callbacks tell of and no intent has made: a charge of a recurring payment, one that was paid for without the
 * journal, or a second one under the client order id of an intent. Until an opening knows its order id, its own order is among
 * these, too. The fields are those of the last callback.
 */
export interface StrayOrder extends InboxEntry {
  /** How many callbacks of it came. Whoever writes of it names the number that he has read. */
  readonly callbacks: number
  /** When the last of them came; `receivedAt` is the first. */
  readonly wokenAt: number
  /** What the merchant was told of it last. */
  readonly told?: Observation | undefined
  /** Until when whoever has claimed it has it for himself. No two claims have the same: it tells whose it is. */
  readonly leaseUntil?: number | undefined
}

/** How callbacks of orders that no intent has are kept. */
export interface StrayTerms {
  /** How many orders at most that the merchant was not told of. */
  readonly limit: number
  /** When this one is looked at, at the latest. */
  readonly checkAt: number
}

/** Asks for the stray orders that are due, for this process alone. */
export interface StrayClaim extends Omit<IntentClaim, 'owner'> {
  /** Only those under the client order id of an opening: second orders of one payment. */
  readonly ofOpenings?: boolean
}

/** What follows from a look at a stray order. */
export interface StrayChange {
  /** When it is looked at next; `undefined`: at its next callback. */
  readonly nextCheckAt?: number | undefined
  /** What the merchant was told now. */
  readonly told?: Observation | undefined
  readonly at: number
}

/** An outcome that was not handed over yet. */
export interface OpenOutcome {
  readonly outcome: JournalOutcome
  readonly failures: number
}

/** How one hand-over ended. */
export type HandedOver =
  /** The handler ran now, and what it wrote is durable. */
  | 'done'
  /** It had run before, or another process is at it. */
  | 'not-mine'

/** How many intents there are, in each state. */
export type StateCounts = Readonly<Partial<Record<Intent['state'], number>>>

/**
 * Where the journal is kept. Each method is one transaction, durable when it resolves.
 *
 * `Transaction` is what the merchant's handler writes in, and what `insert` can be made part of.
 */
export interface JournalStore<Transaction = undefined> {
  /** How many hand-overs may go on at once: each has a transaction open for as long as its handler takes. Default 4. */
  readonly mostHandOvers?: number
  /** Whether anything outlives the process. */
  readonly durable: boolean
  /** Writes a new intent; with a transaction, as a part of it, at once. */
  insert(intent: Intent, transaction?: Transaction): Promise<Inserted>
  /**
   * Writes them all when each version in the store is one less, with their outcomes. `false`: somebody was faster. The order
   * that an opening names is no stray any more.
   */
  update(...changes: readonly IntentChange[]): Promise<boolean>
  find(intentId: string): Promise<Intent | undefined>
  /** All attempts, the first one first. */
  attemptsOf(businessKey: string): Promise<readonly Intent[]>
  /** Those of one order, in the order in which they were made; with a transaction, as it sees them, and on its connection alone. */
  ofOrder(clientOrderId: string, transaction?: Transaction): Promise<readonly Intent[]>
  /** Leases those whose next check is due and that nobody has; the longest due first. */
  claimDue(claim: IntentClaim): Promise<readonly Intent[]>
  /** Renews the leases of those that the owner still has. Their versions stay: nothing else of them has changed. */
  renewLeases(renewal: IntentRenewal): Promise<void>
  /** When something is due next: a check, or an outcome. Asked at every turn, so that it has to be quick among many. */
  nextDueAt(horizon: DueHorizon): Promise<number | undefined>
  /** An order that an endpoint is known to have, to see whether it tells of any. The one that it told of last. */
  knownOrder(endpoint: IntentEndpoint): Promise<Intent | undefined>
  /** Notes that an endpoint told of an order that exists. */
  noteAnswer(endpoint: IntentEndpoint, at: number): Promise<void>
  /** When it last did. */
  lastAnswerAt(endpoint: IntentEndpoint): Promise<number | undefined>
  /**
   * Has the intents under its client order id looked at, and keeps a callback whose order is not the one that an opening
   * names, in one transaction. `full`: no opening has its id, and there are so many of these already that the merchant was not
   * told of.
   */
  receive(entry: InboxEntry, strays: StrayTerms): Promise<'stored' | 'full'>
  /**
   * Has the intents of an order looked at, also a payment that has ended. What is not sent yet, waits for a person, is a stored
   * card, or a modification that has ended, stays as it is, in its version too. Gives how many there are in all.
   */
  wake(clientOrderId: string, at: number): Promise<number>
  /** Orders that no intent has, and that the merchant was not told of since their last callback. The oldest first. */
  strays(limit: number): Promise<readonly StrayOrder[]>
  /** Leases those that are due and that nobody has; the longest due first. */
  claimStrays(claim: StrayClaim): Promise<readonly StrayOrder[]>
  /** Renews the lease of a claimed one. `false`: it is another one's by now. */
  renewStray(stray: StrayOrder, leaseUntil: number): Promise<boolean>
  /**
   * Writes what came of a look, and ends its lease; nothing where another has the lease by now. One that had a callback since
   * is looked at again at `again`. Those that the merchant was told of before `forgetBefore` are forgotten.
   */
  settleStray(stray: StrayOrder, change: StrayChange, again: number, forgetBefore: number): Promise<void>
  /** The intent that made a reference: a card's, or a recurring payment's. */
  findReference(reference: string): Promise<Intent | undefined>
  /** The first open outcome of each order that is due, the oldest first. */
  openOutcomes(now: number, limit: number): Promise<readonly OpenOutcome[]>
  /**
   * Runs the handler unless it ran before, and marks in the same transaction that it did. Throws what the handler throws.
   *
   * @param limitMs how long the handler may take: it has thrown by then. A database that ends a transaction by itself, because
   *   nothing is heard of it, waits longer than that
   */
  handOver(
    outcome: JournalOutcome,
    now: number,
    handler: (transaction: Transaction) => void | Promise<void>,
    limitMs?: number,
  ): Promise<HandedOver>
  /** Notes that the handler failed: it is tried again then. */
  putOff(outcome: JournalOutcome, nextTryAt: number): Promise<void>
  /** The clock was set back: what was noted after `latest` rests no longer. */
  pullBack(to: Readonly<Record<'now' | 'latest' | 'leaseMs' | 'putOffMs', number>>): Promise<void>
  counts(): Promise<StateCounts>
  /** Those in these states, the oldest first. */
  inStates(states: readonly Intent['state'][], limit: number): Promise<readonly Intent[]>
  /** Refusals that the status has not confirmed yet, as `nextCheckAt` tells: the oldest first. */
  unconfirmed(limit: number): Promise<readonly Intent[]>
  /** Approved attempts of business keys of which two were approved, and of which something is kept. */
  suspectedDoubles(limit: number): Promise<readonly Intent[]>
  /** How many outcomes wait for the handler. */
  countOpenOutcomes(): Promise<number>
  close(): Promise<void>
}
