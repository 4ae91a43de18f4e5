import type { Intent, JournalOutcome, NewOutcome } from './intent.ts'

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

/** A callback of the inbox, by the digest of what its control covers and what else it told. */
export interface InboxEntry {
  readonly digest: string
  readonly clientOrderId: string
  readonly orderId: string
  readonly status: string
  readonly type?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly receivedAt: number
}

/** An entry whose order no intent has. */
export interface StrayCallback extends InboxEntry {
  /** How often it came. */
  readonly copies: number
}

/** An outcome that was not handed over yet. */
export interface OpenOutcome {
  readonly outcome: JournalOutcome
  readonly failures: number
}

/** What the outcome of one hand-over was. */
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
  /** Whether anything outlives the process. */
  readonly durable: boolean
  /** Writes a new intent; with a transaction, as a part of it, at once. */
  insert(intent: Intent, transaction?: Transaction): Promise<Inserted>
  /** Writes them all when each version in the store is one less, with their outcomes. `false`: somebody was faster. */
  update(...changes: readonly IntentChange[]): Promise<boolean>
  find(intentId: string): Promise<Intent | undefined>
  /** All attempts, the first one first. */
  attemptsOf(businessKey: string): Promise<readonly Intent[]>
  /** Those of one order, in the order in which they were made. */
  ofOrder(clientOrderId: string): Promise<readonly Intent[]>
  /** Leases those whose next check is due and that nobody has; the longest due first. */
  claimDue(claim: IntentClaim): Promise<readonly Intent[]>
  /** When something is due next: a check, or an outcome. */
  nextDueAt(): Promise<number | undefined>
  /** An order that the gateway is known to have, to see whether it tells of any. The one that it told of last. */
  knownOrder(): Promise<Intent | undefined>
  /** Notes that the gateway told of an order that exists. */
  noteAnswer(at: number): Promise<void>
  /** When it last did. */
  lastAnswerAt(): Promise<number | undefined>
  /**
   * Keeps a callback and has its order looked at `at` this time at the earliest, in one transaction. `full`: its order is
   * unknown, and there are so many of these already.
   */
  receive(entry: InboxEntry, strayLimit: number): Promise<'stored' | 'full'>
  /** Has the intents of an order looked at; those that ended are, too. Gives how many there are. */
  wake(clientOrderId: string, at: number): Promise<number>
  /** Callbacks whose orders no intent has. */
  strays(limit: number): Promise<readonly StrayCallback[]>
  /** The first open outcome of each order that is due, the oldest first. */
  openOutcomes(now: number, limit: number): Promise<readonly OpenOutcome[]>
  /** Runs the handler unless it ran before, and marks in the same transaction that it did. Throws what the handler throws. */
  handOver(
    outcome: JournalOutcome,
    now: number,
    handler: (transaction: Transaction) => void | Promise<void>,
  ): Promise<HandedOver>
  /** Notes that the handler failed: it is tried again then. */
  putOff(outcome: JournalOutcome, nextTryAt: number): Promise<void>
  counts(): Promise<StateCounts>
  /** Those in these states, the oldest first. */
  inStates(states: readonly Intent['state'][], limit: number): Promise<readonly Intent[]>
  /** Approved attempts of business keys of which two were approved. */
  suspectedDoubles(limit: number): Promise<readonly Intent[]>
  /** How many outcomes wait for the handler. */
  countOpenOutcomes(): Promise<number>
  close(): Promise<void>
}
