import type { ReceivedCallback } from './callback-inbox.ts'
import type { Intent, IntentEndpoint, IntentState, JournalOutcome, NewOutcome, Observation } from './intent.ts'

/** What must be unique. */
export type IntentConflict =
  /** The business key has an active attempt, or this attempt. */
  | 'business-key'
  | 'client-order-id'
  /** Another modification of the order is active. */
  | 'order'

/** Whether an intent was stored; if not, what stands in its way. */
export type InsertResult = { readonly ok: true } | { readonly ok: false; readonly conflict: IntentConflict }

/** The new state of an intent, written if it still has the version before. */
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
  /** In place of what is due by `nextCheckAt`: what is due by `watchAt`. */
  readonly watched?: boolean
}

/** Which due times matter to a process that waits for the next thing to do. */
export interface DueWindow {
  /** Anything due later may be left out. */
  readonly until: number
  /** Whether outcomes count: only a process with a handler waits for them. */
  readonly withOutcomes: boolean
}

/** Renews the leases of the intents that a process works on. */
export interface IntentRenewal {
  readonly intentIds: readonly string[]
  readonly owner: string
  readonly leaseUntil: number
}

/** A callback of the inbox. */
export interface InboxEntry extends ReceivedCallback {
  readonly receivedAt: number
}

/**
 * An order that has callbacks and no intent: a charge of a recurring payment, one paid for without the journal, or a second
 * one under the client order id of an intent. Until an opening knows its order id, its own order is also one of these. The
 * fields are those of the last callback.
 */
export interface OrphanOrder extends InboxEntry {
  /** How many callbacks of it came. A writer names the number that it has read. */
  readonly callbacks: number
  /** When the last of them came; `receivedAt` is the first. */
  readonly wokenAt: number
  /** What was last reported to the merchant. */
  readonly reported?: Observation | undefined
  /** Until when its claim lasts. No two claims end at the same time: this tells whose it is. */
  readonly leaseUntil?: number | undefined
}

/** How callbacks of orders without an intent are stored. */
export interface OrphanTerms {
  /** The most orders not reported to the merchant. */
  readonly limit: number
  /** When this one is checked at the latest. */
  readonly checkAt: number
}

/** Asks for the orphan orders that are due, for this process alone. */
export interface OrphanClaim extends Omit<IntentClaim, 'owner'> {
  /** Only those under the client order id of an opening: second orders of one payment. */
  readonly ofOpenings?: boolean
}

/** What follows from a status check of an orphan order. */
export interface OrphanChange {
  /** When it is checked next; `undefined`: at its next callback. */
  readonly nextCheckAt?: number | undefined
  /** Of an approved one that was reported: when it is checked next in case something happened to it without a callback. */
  readonly watchAt?: number | undefined
  /** What was reported to the merchant now. */
  readonly reported?: Observation | undefined
  readonly at: number
}

/** An outcome that is not delivered yet. */
export interface OpenOutcome {
  readonly outcome: JournalOutcome
  readonly failures: number
}

/** An outcome of an order, and how far the handler has come with it. */
export interface StoredOutcome extends OpenOutcome {
  /** When the handler was called with it and did not fail; `undefined`: it waits. */
  readonly handledAt?: number | undefined
}

/** What a store knows of the orders that have a name. */
export interface NamedOrders {
  /** Those of the name, all attempts of their business keys, and all intents of their orders: the oldest first. */
  readonly intents: readonly Intent[]
  /** Of these orders, by their number. */
  readonly outcomes: readonly StoredOutcome[]
  /** Orders of this name that have callbacks and no intent, also those that were reported to the merchant. */
  readonly orphans: readonly OrphanOrder[]
}

/** How a delivery ended. */
export type DeliveryResult =
  /** The handler ran now, and what it wrote is durable. */
  | 'done'
  /** It had run before, or another process is running it. */
  | 'not-mine'

/** How many intents there are, in each state. */
export type StateCounts = Readonly<Partial<Record<IntentState, number>>>

/**
 * Where the journal is stored. Each method is one transaction, durable when it resolves.
 *
 * `Transaction` is what the merchant's handler writes in, and what `insert` can be made part of.
 */
export interface JournalStore<Transaction = undefined> {
  /** How many deliveries may run at once: each keeps a transaction open while its handler runs. Default 4. */
  readonly maxDeliveries?: number
  /** Whether anything outlives the process. */
  readonly durable: boolean
  /**
   * When its tables were made, in milliseconds since 1970, if they can be lost behind the journal's back, or an older copy be put in
   * their place: it then asks the gateway what the store may not know. None: nothing is asked.
   */
  madeAt?(): Promise<number>
  /** Writes a new intent; with a transaction, as part of it, at once. */
  insert(intent: Intent, transaction?: Transaction): Promise<InsertResult>
  /**
   * Writes them all, with their outcomes, if each version in the store is one less; one of version 1 is new. `false`: somebody was
   * faster. The order that an opening names is no longer an orphan.
   *
   * @throws Error if something is in the way of a new one: then nothing is written
   */
  update(...changes: readonly IntentChange[]): Promise<boolean>
  find(intentId: string): Promise<Intent | undefined>
  /** All attempts, the first one first. */
  attemptsOf(businessKey: string): Promise<readonly Intent[]>
  /** Those of one order, the oldest first; with a transaction, as it sees them, and on its connection alone. */
  ofOrder(clientOrderId: string, transaction?: Transaction): Promise<readonly Intent[]>
  /**
   * For someone who looks a payment up: the name is an intent id, a business key, a client order id, an order id of the gateway or
   * a reference, whichever has it. May read all rows.
   */
  named(name: string): Promise<NamedOrders>
  /** The modification that holds the order. */
  holderOf(orderId: string): Promise<Intent | undefined>
  /**
   * Leases those whose next check is due and that nobody holds; the longest due first. Watched ones may be many: what is due must be
   * found quickly among them, and a lease of more than an hour is from before the clock was set back.
   */
  claimDue(claim: IntentClaim): Promise<readonly Intent[]>
  /** Renews the leases that the owner still has. The versions stay: nothing else changes. */
  renewLeases(renewal: IntentRenewal): Promise<void>
  /** When a check or an outcome is due next. Asked at every turn: must be quick among many. */
  nextDueAt(horizon: DueWindow): Promise<number | undefined>
  /** An order that an endpoint is known to have, to see whether it answers for any: the one it last answered for. */
  knownOrder(endpoint: IntentEndpoint): Promise<Intent | undefined>
  /** Notes that an endpoint answered for an order that exists. */
  noteAnswer(endpoint: IntentEndpoint, at: number): Promise<void>
  /** When it last did. */
  lastAnswerAt(endpoint: IntentEndpoint): Promise<number | undefined>
  /**
   * Wakes the intents under its client order id, and stores a callback whose order is not the one that an opening names, in
   * one transaction. `orphan`: stored, and no opening has its id. `full`: that, and the limit of unreported orphans is reached.
   */
  receive(entry: InboxEntry, orphans: OrphanTerms): Promise<'stored' | 'orphan' | 'full'>
  /**
   * Makes a status check of an order's intents due, also of a payment that has ended. Those not sent yet, in review, of a
   * stored card, and modifications that have ended stay as they are, with their versions. Returns how many there are in all.
   */
  wake(clientOrderId: string, at: number): Promise<number>
  /** Orders without an intent, not reported to the merchant since their last callback. The oldest first. */
  orphans(limit: number): Promise<readonly OrphanOrder[]>
  /** Leases those that are due and that nobody holds; the longest due first. Watched: only those that have no `nextCheckAt`. */
  claimOrphans(claim: OrphanClaim): Promise<readonly OrphanOrder[]>
  /** Renews the lease of a claimed one. `false`: another process has it now. */
  renewOrphan(orphan: OrphanOrder, leaseUntil: number): Promise<boolean>
  /**
   * Writes the result of a check, and ends its lease; nothing if another has the lease now. One that had a callback since is
   * checked again at `again`. Those reported to the merchant before `forgetBefore` are deleted.
   */
  settleOrphan(orphan: OrphanOrder, change: OrphanChange, again: number, forgetBefore: number): Promise<void>
  /** The intent that made a reference: a card's, or a recurring payment's. */
  findReference(reference: string): Promise<Intent | undefined>
  /** The first open outcome of each order that is due, the oldest first. */
  openOutcomes(now: number, limit: number): Promise<readonly OpenOutcome[]>
  /**
   * Runs the handler unless it ran before, and records that in the same transaction. Throws what the handler throws.
   *
   * @param limitMs how long the handler may take: it has thrown by then. A database that ends idle transactions must wait
   *   longer than that
   */
  deliver(
    outcome: JournalOutcome,
    now: number,
    handler: (transaction: Transaction) => void | Promise<void>,
    limitMs?: number,
  ): Promise<DeliveryResult>
  /** Notes that the handler failed, and when to try again. */
  putOff(outcome: JournalOutcome, nextTryAt: number): Promise<void>
  /** The clock was set back: nothing may wait because of a time after `latest`. */
  pullBack(to: Readonly<Record<'now' | 'latest' | 'leaseMs' | 'putOffMs', number>>): Promise<void>
  counts(): Promise<StateCounts>
  /** Those in these states, the oldest first. */
  inStates(states: readonly IntentState[], limit: number): Promise<readonly Intent[]>
  /** Refusals that the status has not confirmed yet, as `nextCheckAt` shows: the oldest first. */
  unconfirmed(limit: number): Promise<readonly Intent[]>
  /** Approved attempts of which something is kept, if their business key has two of them. */
  suspectedDoubles(limit: number): Promise<readonly Intent[]>
  /** How many outcomes wait for the handler. */
  countOpenOutcomes(): Promise<number>
  close(): Promise<void>
}
