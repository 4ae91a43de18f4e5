import type { Clock, PaymentClient } from '@tallystick/client'
import type { IntentEndpoint } from '@tallystick/client/internal'
import type { JournalOutcome, JournalStore, OperationOutcome, OrderNotice } from '@tallystick/client/ports'
import type { Exponents, PaymentError, Recorder, RejectedError, Secret } from '@tallystick/core'
import type { Leases } from './background/lease.ts'
import type { JournalListener } from './events.ts'
import type { OrphanNotice, OrphanOutcome } from './intents/orphan-outcome.ts'

/** What the merchant does with an outcome. */
export interface HandlerInput<Transaction> {
  readonly outcome: OperationOutcome
  /**
   * What is written in it takes effect exactly once, together with the note that the handler ran. Effects outside it happen at
   * least once: deduplicate them by `outcome.key`.
   */
  readonly transaction: Transaction
}

export type OutcomeHandler<Transaction> = (input: HandlerInput<Transaction>) => void | Promise<void>

/** What happened to an order after its outcome. */
export interface NoticeInput<Transaction> {
  readonly notice: OrderNotice
  /** As for an outcome: what is written in it takes effect exactly once. */
  readonly transaction: Transaction
}

export type NoticeHandler<Transaction> = (input: NoticeInput<Transaction>) => void | Promise<void>

/** An outcome or a notice, as the store delivers it. */
export interface ReportInput<Transaction> {
  readonly outcome: JournalOutcome
  readonly transaction: Transaction
}

export interface JournalParts<Transaction> {
  readonly client: PaymentClient
  readonly store: JournalStore<Transaction>
  /** Called with outcomes and with notices. */
  readonly handler: ((input: ReportInput<Transaction>) => void | Promise<void>) | undefined
  /** Called with outcomes and with notices of orders without an intent. */
  readonly onOrphan: ((outcome: OrphanOutcome | OrphanNotice) => void | Promise<void>) | undefined
  readonly emit: JournalListener
  /** Brings what a person decides in the workbench, if the journal takes that. */
  readonly onDecision: Recorder['onDecision']
  readonly handlerTimeoutMs: number
  readonly wakeups: Notifier | undefined
  readonly clock: Clock
  readonly deadlineMs: number
  /** How long a prepared intent waits for its caller. `Infinity`: for ever. */
  readonly sendPreparedAfterMs: number
  /** Decimals of amounts, as the client sends and reads them. */
  readonly exponents: Exponents
  readonly repeatsGetFirstAnswer: boolean
  readonly isNoSuchOrder: (error: RejectedError) => boolean
  readonly orphanLimit: number
  /** How long an approved order is watched. `0`: not at all. */
  readonly watchMs: number
  readonly pollMs: number
  readonly fraction: () => number
  readonly newName: () => string
  /** This process, for leases. */
  readonly owner: string
  /** The leases of the intents that this process sends or checks. */
  readonly leases: Leases<string>
  /** The client order ids of what this process sends now; `called`: a callback of it has come meanwhile. */
  readonly sends: Map<string, 'sending' | 'called'>
  readonly refusals: Refusals
  readonly skew: ClockSkew
  /** The first one makes new ids. `undefined`: the client's control key. */
  readonly orderIdKeys: readonly [Secret | undefined, ...(Secret | undefined)[]]
  readonly noPaymentsBefore: number
}

/** Notices endpoints that refuse status requests. */
export interface Refusals {
  /** The endpoint answered with an order, or that there is none: it knows the merchant. */
  answered(endpoint: IntentEndpoint): void
  /** It did not. A refusal is reported once until the endpoint answers again; an endpoint that is not reached is not reported. */
  failed(endpoint: IntentEndpoint, error: PaymentError): void
}

/** By how much the clock may be ahead of the right time. */
export interface ClockSkew {
  aheadMs(): number
  /** A timer has run so much too late by the clock: the clock was set ahead, or this machine stood still. */
  late(byMs: number): void
  /** The clock was set back by so much. */
  back(byMs: number): void
}

/**
 * Notifies the processes of a shop of changes in the journal, sooner than they would poll. Nothing depends on it: the tables are
 * the truth, and what it misses they find at their next poll.
 */
export interface Notifier {
  /** From now on each change calls `onWake`, in one of the processes that listen. */
  listen(onWake: () => void): Promise<void>
  /** Something has changed: a callback came, or a payment needs a status check. */
  wake(): Promise<void>
  close(): Promise<void>
}
