import type { Clock, PaymentClient } from '@tallystick/client'
import type { JournalOutcome, JournalStore, OrderNotice } from '@tallystick/client/ports'
import { type Recorder, type RejectedError, Secret } from '@tallystick/core'
import { checkOptions, GATEWAY_CODES, type Validator, type Validators, validator } from '@tallystick/core/internal'
import { clockSkew } from './background/clock-changes.ts'
import { leases } from './background/lease.ts'
import type { JournalParts, NoticeHandler, Notifier, OutcomeHandler } from './context.ts'
import { type JournalListener, quietly, warnOf } from './events.ts'
import type { OrphanHandler, OrphanNoticeHandler } from './intents/orphan-outcome.ts'
import { refusals } from './reconcile/ask.ts'
import { recordedListener, recordedStore } from './recording.ts'
import { randomFraction, randomName, systemClock } from './runtime/system.ts'

/** What a journal works with: only `client` and `store` are required. */
export type JournalOptions<Transaction> = JournalSettings<Transaction> & TakesNotices<Transaction>

/** Who takes outcomes says what becomes of notices: a chargeback must not be booked as a payment, nor overlooked. */
type TakesNotices<Transaction> = (
  | { readonly handler?: undefined; readonly onNotice?: undefined }
  | { readonly handler: OutcomeHandler<Transaction>; readonly onNotice: NoticeHandler<Transaction> | 'ignore' }
) &
  (
    | { readonly onOrphan?: undefined; readonly onOrphanNotice?: undefined }
    | { readonly onOrphan: OrphanHandler; readonly onOrphanNotice: OrphanNoticeHandler | 'ignore' }
  )

interface JournalSettings<Transaction> {
  /**
   * Sends the operations and polls their status, at its own endpoint or at the one that `pay` names. Each intent records its
   * endpoint, so a shop that changes to another endpoint still polls the right one.
   */
  readonly client: PaymentClient
  /**
   * Where intents, callbacks and outcomes are stored: `sqliteJournalStore`, `postgresJournalStore`, or `memoryJournalStore`
   * for tests.
   */
  readonly store: JournalStore<Transaction>
  /**
   * Is called with the outcome of each operation, in order. It must not wait for the journal itself. If it throws, its
   * transaction is rolled back and it is called again later. Default: outcomes are stored for a process that has a handler, and
   * counted in the report.
   */
  readonly handler?: OutcomeHandler<Transaction> | undefined
  /**
   * Is called, as `handler` is and in one order with it, with what happened to an order after its outcome: a chargeback, a reversal
   * that was not asked for here, or that a declined payment was approved. `'ignore'`: they are dropped. Required beside
   * `handler`: without it a notice waits, and each try is a `HANDLER_FAILED` with the code `NOTICE_UNHEARD`.
   */
  readonly onNotice?: NoticeHandler<Transaction> | 'ignore' | undefined
  /**
   * Is called with the outcome of an order without an intent, when a callback of one arrives: a charge of a recurring payment,
   * which the gateway opens itself, or a payment made without the journal. Called at least once, in no transaction of the store:
   * deduplicate by `key`, and compare the amount and the currency with what you expect. If it throws, it is called again later.
   * Default: such orders are stored and shown in the report; second orders of one payment are reported to `onEvent`.
   */
  readonly onOrphan?: OrphanHandler | undefined
  /**
   * Is called in the same way with what happened to such an order after its outcome, such as a chargeback or a refund. `'ignore'`:
   * that is dropped. Required beside `onOrphan`: without it a notice waits, and each try is a `ORPHAN_FAILED` with the code
   * `NOTICE_UNHEARD`.
   */
  readonly onOrphanNotice?: OrphanNoticeHandler | 'ignore' | undefined
  /**
   * Is notified of what someone should look at: reviews, suspected double charges, failures of the handler and of the
   * reconciler. Default: those that need someone become Node warnings (`JournalWarning`).
   */
  readonly onEvent?: JournalListener | undefined
  /**
   * Records each state of an intent, each callback, each call of the handler and each event, for a test: the `recording` of a gateway
   * in this process, or `sandboxRecorder` of the client. Give the client the same one. No card data. Default: nothing is recorded.
   */
  readonly recorder?: Recorder | undefined
  /**
   * Whether what a person decides in the workbench of the sandbox that records is written, as by `resolveReview`. Whoever has that
   * sandbox's operator key decides then: only for tests. Default `false`.
   */
  readonly decisionsFromWorkbench?: boolean | undefined
  /**
   * How long each of these functions may take, in milliseconds. After that, the handler's transaction is rolled back and can no
   * longer be used, and it is called again later. In a SQLite file nothing else is written meanwhile; in PostgreSQL a process
   * that was stopped holds the order for this long and a second. Default 10 000.
   */
  readonly handlerTimeoutMs?: number | undefined
  /** Notifies other processes of changes at once, such as `pgBossNotifier`. Default: they find them within `pollMs`. */
  readonly wakeups?: Notifier | undefined
  /** Tells the time, and wakes the journal when something is due. Default the system's. */
  readonly clock?: Clock | undefined
  /** How long an operation may wait for its reply, in milliseconds. Default 70 000. */
  readonly deadlineMs?: number | undefined
  /**
   * How long what `prepare` has written waits for its caller's `pay`, in milliseconds from `prepare` on. What needs no card is then
   * sent by the journal itself; the rest is reported as `PREPARED_WAITS`. `'never'`: it waits for ever, and nothing is reported.
   * Default 60 000.
   */
  readonly sendPreparedAfterMs?: number | 'never' | undefined
  /**
   * Whether the gateway answers a repeated request for a card reference or a recurring payment with the first result, as ours
   * does. Default `false`: a lost reply goes to REVIEW.
   */
  readonly repeatsGetFirstAnswer?: boolean | undefined
  /** Whether a refused status check means that there is no such order. Default: code 2, as our gateway has it. */
  readonly isNoSuchOrder?: ((error: RejectedError) => boolean) | undefined
  /**
   * What the client order ids are derived from, besides login, endpoint, business key and attempt. A text that nobody can guess and
   * that never changes. Default: the control key of the client. So a journal that has lost its tables makes the same ids again, and
   * finds at the gateway what it has paid.
   *
   * Give one if control keys are changed, or if several journals pay under one login and endpoint: each needs its own, or the
   * "invoice 1" of one would be that of the other. Several: the first one is used for new payments, and with the others the
   * gateway is asked for older ones. A control key that was used before is such an older one.
   */
  readonly orderIdKey?: string | Secret | readonly (string | Secret)[] | undefined
  /**
   * Before each request for a payment the journal asks the gateway whether it was made before, since the store may have been lost, or
   * restored from a backup. A time at which the shop was certain to have paid nothing yet spares that, if the store is older:
   * `new Date('2026-11-28')` of a new shop whose tables were made on the 27th. Once the store was restored from a backup, leave it out
   * for good. Not in the future. Default: none, the gateway is always asked.
   */
  readonly noPaymentsBefore?: Date | undefined
  /** How many orders without an intent are stored at most before `onOrphan` is called with them. Default 10 000. */
  readonly orphanLimit?: number | undefined
  /**
   * For how many days after a payment was approved its status is still asked for, so that a chargeback or a refund made elsewhere
   * is found without a callback: of each payment some 34 times in the whole, daily at first and every thirty days later, two at a
   * time and after everything that is open. A million payments a year make one status request a second. `0`: never, as where the
   * gateway is certain to call about chargebacks. Default 540, the longest time within which card schemes take a dispute.
   */
  readonly watchDays?: number | undefined
  /** How often the journal polls for work that other processes have left, in milliseconds. Default 1000. */
  readonly pollMs?: number | undefined
  /** Returns a number from 0 to 1, for jitter. Default a random one. */
  readonly fraction?: (() => number) | undefined
  /** Makes unique names, for intents and for this process. Default random ones. */
  readonly newName?: (() => string) | undefined
}

/** Who polls this often finds what is due soon enough. */
export const POLL_MS = 1000

/** Who can guess the key knows the ids of payments to come. */
const LEAST_CHARACTERS = 16
const isSecret = (value: unknown) => validator.withMethods('a Secret', 'reveal').isRight(value)
const isKey = (value: unknown) => isSecret(value) || (typeof value === 'string' && value.length >= LEAST_CHARACTERS)
const ORDER_ID_KEY: Validator = {
  wanted: `a text of ${LEAST_CHARACTERS} characters or more that nobody can guess, a Secret, or a list of them`,
  isRight: (value) => (Array.isArray(value) ? value.length > 0 && value.every(isKey) : isKey(value)),
}
/** A day to come would declare every store to be old enough, also one that is made anew tomorrow. */
const PAST: Validator = {
  wanted: "a Date that is not in the future, such as new Date('2026-11-28')",
  isRight: (value) => value instanceof Date && value.getTime() <= systemClock.now(),
}
const DAYS: Validator = {
  wanted: 'a number of days, from 0 to 3650',
  isRight: (value) => typeof value === 'number' && value >= 0 && value <= 3650,
}

const WAIT: Validator = {
  wanted: `${validator.milliseconds.wanted}, or 'never'`,
  isRight: (value) => value === 'never' || validator.milliseconds.isRight(value),
}

const NOTICES: Validator = {
  wanted: "a function, or 'ignore'",
  isRight: (value) => typeof value === 'function' || value === 'ignore',
}

const KINDS: Validators<JournalSettings<unknown>> = {
  client: validator.required(
    validator.withMethods('a client, as createPaymentClient makes it', 'status', 'derivedClientOrderId'),
  ),
  store: validator.required(
    validator.withMethods(
      'a store, as sqliteJournalStore, postgresJournalStore or memoryJournalStore makes it',
      'insert',
      'update',
      'claimDue',
      'renewLeases',
      'deliver',
    ),
  ),
  handler: validator.function,
  onNotice: NOTICES,
  onOrphan: validator.function,
  onOrphanNotice: NOTICES,
  onEvent: validator.function,
  recorder: validator.withMethods('a recorder, such as gateway.recording', 'record'),
  decisionsFromWorkbench: validator.flag,
  handlerTimeoutMs: validator.milliseconds,
  wakeups: validator.withMethods('what wakes, such as pgBossNotifier makes', 'listen', 'wake', 'close'),
  clock: validator.withMethods('a clock', 'now', 'schedule'),
  deadlineMs: validator.milliseconds,
  sendPreparedAfterMs: WAIT,
  repeatsGetFirstAnswer: validator.flag,
  isNoSuchOrder: validator.function,
  orderIdKey: ORDER_ID_KEY,
  noPaymentsBefore: PAST,
  orphanLimit: validator.count,
  watchDays: DAYS,
  pollMs: validator.milliseconds,
  fraction: validator.function,
  newName: validator.function,
}

/** @throws TypeError for a wrong option */
export function readOptions<Transaction>(options: JournalOptions<Transaction>): JournalParts<Transaction> {
  checkOptions('createJournal', options, KINDS)
  requireBeside(options, 'onNotice', 'handler')
  requireBeside(options, 'onOrphanNotice', 'onOrphan')
  const { client, onEvent = warnOf, newName = randomName, clock = systemClock, recorder } = options
  const recorded = recorder && { recorder, clock }
  const store = recorded === undefined ? options.store : recordedStore(options.store, recorded)
  const emit = recorded === undefined ? quietly(onEvent) : recordedListener(quietly(onEvent), recorded)
  const owner = newName()
  return {
    client,
    store,
    handler: handlerOf(options),
    onOrphan: orphanHandlerOf(options),
    emit,
    onDecision: onDecisionOf(options),
    handlerTimeoutMs: options.handlerTimeoutMs ?? 10_000,
    wakeups: options.wakeups,
    clock,
    deadlineMs: options.deadlineMs ?? 70_000,
    sendPreparedAfterMs: waitOf(options.sendPreparedAfterMs),
    exponents: client.exponents,
    repeatsGetFirstAnswer: options.repeatsGetFirstAnswer ?? false,
    isNoSuchOrder: options.isNoSuchOrder ?? isNoSuchOrder,
    orphanLimit: options.orphanLimit ?? 10_000,
    watchMs: (options.watchDays ?? 540) * 86_400_000,
    pollMs: options.pollMs ?? POLL_MS,
    fraction: options.fraction ?? randomFraction,
    newName,
    owner,
    leases: leases({
      clock,
      renew: (intentIds, leaseUntil) => store.renewLeases({ intentIds, owner, leaseUntil }),
      onFailure: (error) => emit({ type: 'RECONCILE_FAILED', error }),
    }),
    sends: new Map(),
    refusals: refusals(emit),
    skew: clockSkew(clock, emit),
    orderIdKeys: orderIdKeysOf(options.orderIdKey),
    noPaymentsBefore: options.noPaymentsBefore?.getTime() ?? Number.NEGATIVE_INFINITY,
  }
}

/** @throws TypeError if no recorder brings decisions */
function onDecisionOf({
  recorder,
  decisionsFromWorkbench = false,
}: Pick<JournalOptions<unknown>, 'recorder' | 'decisionsFromWorkbench'>): Recorder['onDecision'] {
  if (!decisionsFromWorkbench) return undefined
  if (recorder?.onDecision === undefined) {
    throw new TypeError(
      'createJournal: decisionsFromWorkbench needs the recorder of a sandbox: gateway.recording, or sandboxRecorder of the client',
    )
  }
  return (decide) => recorder.onDecision?.(decide) ?? (() => {})
}

function waitOf(given: number | 'never' = 60_000): number {
  return given === 'never' ? Number.POSITIVE_INFINITY : given
}

function isList(given: unknown): given is readonly (string | Secret)[] {
  return Array.isArray(given)
}

function orderIdKeysOf(given: JournalOptions<unknown>['orderIdKey']): JournalParts<unknown>['orderIdKeys'] {
  const keys: readonly (string | Secret)[] = given === undefined ? [] : isList(given) ? given : [given]
  const [first, ...others] = keys.map((key) => (typeof key === 'string' ? new Secret(key) : key))
  return [first, ...others]
}

/** @throws TypeError for a function that would never be called: notices are delivered in one order with the outcomes */
function requireBeside<Transaction>(
  options: JournalOptions<Transaction>,
  notices: 'onNotice' | 'onOrphanNotice',
  outcomes: 'handler' | 'onOrphan',
): void {
  if (options[notices] === undefined || options[outcomes] !== undefined) return
  throw new TypeError(`createJournal: ${notices} is never called without ${outcomes}: give both or neither`)
}

/** A notice that nobody takes waits, as an outcome does whose handler fails: it is never lost, and never a payment. */
function handlerOf<Transaction>({
  handler,
  onNotice,
}: JournalOptions<Transaction>): JournalParts<Transaction>['handler'] {
  if (handler === undefined) return undefined
  return async ({ outcome, transaction }) => {
    if (isOfKind('outcome', outcome)) return await handler({ outcome, transaction })
    // Neither booked nor dropped: a newer version may have written it, whose processes run beside this one.
    if (!isOfKind('notice', outcome))
      throw new TypeError(`${outcome.key} is neither an outcome nor a notice but ${JSON.stringify(outcome.kind)}`)
    if (onNotice === undefined) throw new NoticeUnheardError(outcome, 'onNotice beside handler')
    if (onNotice !== 'ignore') await onNotice({ notice: outcome, transaction })
  }
}

function orphanHandlerOf<Transaction>({
  onOrphan,
  onOrphanNotice,
}: JournalOptions<Transaction>): JournalParts<Transaction>['onOrphan'] {
  if (onOrphan === undefined) return undefined
  return async (orphan) => {
    if (orphan.kind === 'outcome') return await onOrphan(orphan)
    if (onOrphanNotice === undefined) {
      const { clientOrderId, change = orphan.reply } = orphan
      throw new NoticeUnheardError({ ...change, clientOrderId }, 'onOrphanNotice beside onOrphan')
    }
    if (onOrphanNotice !== 'ignore') await onOrphanNotice(orphan)
  }
}

function isOfKind<K extends JournalOutcome['kind']>(
  kind: K,
  outcome: JournalOutcome,
): outcome is JournalOutcome & { readonly kind: K } {
  return outcome.kind === kind
}

/** There is a notice, such as a chargeback, and a function for outcomes, but none for notices. */
class NoticeUnheardError extends Error {
  override readonly name = 'NoticeUnheardError'
  readonly code = 'NOTICE_UNHEARD'

  constructor(
    { transactionType, status, clientOrderId }: Pick<OrderNotice, 'transactionType' | 'status' | 'clientOrderId'>,
    missing: string,
  ) {
    super(
      `order ${clientOrderId} was changed after its outcome (${transactionType ?? status}), and nobody takes notices: give ${missing}`,
    )
  }
}

/** Codes differ between gateways, and a wrong one would make an existing order look absent: only our gateway's code is known. */
function isNoSuchOrder({ errorCode }: RejectedError): boolean {
  return errorCode === GATEWAY_CODES.noSuchOrder
}
