import type { Clock, JournalOutcome, JournalStore, PaymentClient } from '@tallystick/client'
import { checkOptions, type Exponents, GATEWAY_CODES, type Kinds, kind, type RejectedError } from '@tallystick/core'
import { warnOf } from './alarms.ts'
import { type JournalListener, quietly } from './events.ts'
import { type Leases, leases } from './lease.ts'
import { type Refusals, refusals } from './reconcile/refusals.ts'
import type { StrayHandler } from './reconcile/stray-look.ts'
import { randomFraction, randomName, systemClock } from './rims/system.ts'
import type { Wakeups } from './wakeups.ts'

/** What the merchant does with an outcome. */
export interface HandlerInput<Transaction> {
  readonly outcome: JournalOutcome
  /**
   * What is written in it takes effect exactly once, together with the note that the handler ran. Effects outside of it
   * happen at least once: deduplicate them by `outcome.key`.
   */
  readonly transaction: Transaction
}

export type OutcomeHandler<Transaction> = (input: HandlerInput<Transaction>) => void | Promise<void>

export interface JournalOptions<Transaction> {
  /**
   * Sends the operations and asks for their status, at its own endpoint or at the one that `pay` names. Which it was is
   * written down with each intent: a shop that is given another endpoint still asks the right one.
   */
  readonly client: PaymentClient
  /**
   * Where intents, callbacks and outcomes are kept: `sqliteJournalStore`, `postgresJournalStore`, or `memoryJournalStore`
   * for tests.
   */
  readonly store: JournalStore<Transaction>
  /**
   * Is told each outcome of an order, in order, and what happens to it later. It must not wait for the journal itself. When
   * it throws, nothing of its transaction remains, and it is called again later. Default: outcomes are kept for a process that
   * has a handler, and counted in the report.
   */
  readonly handler?: OutcomeHandler<Transaction> | undefined
  /**
   * Is told the confirmed status of orders that no intent has, when callbacks tell of them: charges of a recurring payment,
   * which the gateway opens by itself, and what was paid for without the journal. At least once for each news, in no
   * transaction of the store's: deduplicate by `key`, and compare the amount and the currency with what you expect. When it
   * throws it is told again later. Default: they are kept and shown in the report; of second orders of one payment `onEvent`
   * hears.
   */
  readonly onStray?: StrayHandler | undefined
  /**
   * Hears what a person should: reviews, suspected double charges, failures of the handler and of the reconciler. Default: what
   * needs somebody is a warning of Node's (`JournalWarning`).
   */
  readonly onEvent?: JournalListener | undefined
  /**
   * How long `handler` and `onStray` may take, in milliseconds: what the handler wrote is taken back then, its transaction
   * cannot be used any more, and it is told again later. In a SQLite file nothing else is written meanwhile; in PostgreSQL a
   * process that was stopped keeps the order for so long and a second. Default 10 000.
   */
  readonly handlerTimeoutMs?: number | undefined
  /** Tells other processes of news at once, such as `pgBossWakeups`. Default: they find it within `pollMs`. */
  readonly wakeups?: Wakeups | undefined
  /** Tells the time, and when it is time to look. Default the system's. */
  readonly clock?: Clock | undefined
  /** Until when an operation must be answered, in milliseconds. Default 70 000. */
  readonly deadlineMs?: number | undefined
  /**
   * Whether the gateway answers the repeat of a card reference or of a recurring payment with the first result, as ours does.
   * Default `false`: a lost reply goes to REVIEW.
   */
  readonly repeatsGetFirstAnswer?: boolean | undefined
  /** Whether a refusal of the status says that there is no such order. Default: code 2, as our gateway has it. */
  readonly isNoSuchOrder?: ((error: RejectedError) => boolean) | undefined
  /** How many orders that no intent has are kept at most before `onStray` is told of them. Default 10 000. */
  readonly strayLimit?: number | undefined
  /** How often the loop looks at what other processes have left, in milliseconds. Default 1000. */
  readonly pollMs?: number | undefined
  /** A number from 0 to 1, for jitter. Default by chance. */
  readonly fraction?: (() => number) | undefined
  /** Makes names that nobody else has: of intents and of this process. Default random ones. */
  readonly newName?: (() => string) | undefined
}

export interface JournalParts<Transaction> {
  readonly client: PaymentClient
  readonly store: JournalStore<Transaction>
  readonly handler: OutcomeHandler<Transaction> | undefined
  readonly onStray: StrayHandler | undefined
  readonly tell: JournalListener
  readonly handlerTimeoutMs: number
  readonly wakeups: Wakeups | undefined
  readonly clock: Clock
  readonly deadlineMs: number
  /** Decimals of amounts, as the client sends and reads them. */
  readonly exponents: Exponents
  readonly repeatsGetFirstAnswer: boolean
  readonly isNoSuchOrder: (error: RejectedError) => boolean
  readonly strayLimit: number
  readonly pollMs: number
  readonly fraction: () => number
  readonly newName: () => string
  /** This process, for leases. */
  readonly owner: string
  /** Of the intents that this process sends or looks at. */
  readonly leases: Leases<string>
  readonly refusals: Refusals
}

const KINDS: Kinds<JournalOptions<unknown>> = {
  client: kind.required(kind.withMethods('a client, as createPaymentClient makes it', 'status', 'newClientOrderId')),
  store: kind.required(
    kind.withMethods(
      'a store, as sqliteJournalStore, postgresJournalStore or memoryJournalStore makes it',
      'insert',
      'update',
      'claimDue',
      'renewLeases',
      'handOver',
    ),
  ),
  handler: kind.function,
  onStray: kind.function,
  onEvent: kind.function,
  handlerTimeoutMs: kind.milliseconds,
  wakeups: kind.withMethods('what wakes, such as pgBossWakeups makes', 'listen', 'wake', 'close'),
  clock: kind.withMethods('a clock', 'now', 'schedule'),
  deadlineMs: kind.milliseconds,
  repeatsGetFirstAnswer: kind.flag,
  isNoSuchOrder: kind.function,
  strayLimit: kind.count,
  pollMs: kind.milliseconds,
  fraction: kind.function,
  newName: kind.function,
}

/** @throws TypeError for a wrong option */
export function readOptions<Transaction>(options: JournalOptions<Transaction>): JournalParts<Transaction> {
  checkOptions('createJournal', options, KINDS)
  const { client, store, onEvent = warnOf, newName = randomName, clock = systemClock } = options
  const tell = quietly(onEvent)
  const owner = newName()
  return {
    client,
    store,
    handler: options.handler,
    onStray: options.onStray,
    tell,
    handlerTimeoutMs: options.handlerTimeoutMs ?? 10_000,
    wakeups: options.wakeups,
    clock,
    deadlineMs: options.deadlineMs ?? 70_000,
    exponents: client.exponents,
    repeatsGetFirstAnswer: options.repeatsGetFirstAnswer ?? false,
    isNoSuchOrder: options.isNoSuchOrder ?? isNoSuchOrder,
    strayLimit: options.strayLimit ?? 10_000,
    pollMs: options.pollMs ?? 1000,
    fraction: options.fraction ?? randomFraction,
    newName,
    owner,
    leases: leases({
      clock,
      renew: (intentIds, leaseUntil) => store.renewLeases({ intentIds, owner, leaseUntil }),
      onFailure: (error) => tell({ type: 'RECONCILE_FAILED', error }),
    }),
    refusals: refusals(tell),
  }
}

/** Codes differ between gateways, and a wrong one would make an absence of what is there: only ours is known. */
function isNoSuchOrder({ errorCode }: RejectedError): boolean {
  return errorCode === GATEWAY_CODES.noSuchOrder
}
