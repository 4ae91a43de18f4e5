import type { InsertResult } from '@tallystick/client/internal'
import type { CallbackInbox, Intent } from '@tallystick/client/ports'
import { requireRecentNode } from '@tallystick/durable/recent-node'
import { clockChanges } from './background/clock-changes.ts'
import { listening, loop, notStartedCheck } from './background/loop.ts'
import { type BusinessKey, keyText } from './intents/business-key.ts'
import type { PaymentEndpoint } from './intents/endpoint.ts'
import type { JournalInput, OperationName } from './intents/operation-facts.ts'
import { type JournalOptions, POLL_MS, readOptions } from './options.ts'
import { browserReturn, type ReturnView } from './outcomes/browser-return.ts'
import { outcomeDelivery } from './outcomes/deliver.ts'
import { inbox } from './outcomes/inbox.ts'
import { type JournalReport, reportOf } from './outcomes/report.ts'
import { newIntent } from './pay/intent.ts'
import { type PayOptions, pay } from './pay/pay.ts'
import { awaitingCaller, sendPrepared } from './pay/prepared.ts'
import { attemptMeant, readAsked, requirePayOptions, requirePrepareOptions } from './pay/request.ts'
import type { PayResult } from './pay/result.ts'
import { orphanOrders } from './reconcile/orphans.ts'
import { type Reconciler, reconciler } from './reconcile/reconciler.ts'
import { type ReviewDecision, resolveReview } from './reconcile/review.ts'
import { keyedMutex, singleFlight, UnderWay } from './runtime/concurrency.ts'

/** Sends each payment once, and brings its outcome to the handler. */
export interface Journal<Transaction = undefined> {
  /**
   * Pays once, whatever happens: called again with the same business key, after a crash or by another process, it returns how
   * the payment stands and sends nothing twice. The handler is called with the outcome.
   *
   * @throws TypeError for a wrong key; what the store throws: then nothing was sent, or the reconciler finds out; Error after
   * `close`
   */
  pay<K extends OperationName>(
    key: BusinessKey,
    operation: K,
    input: JournalInput<K>,
    options?: PayOptions,
  ): Promise<PayResult<K>>
  /**
   * Writes the intent in a transaction of the merchant's, together with the merchant's order. `pay` with the same key and the
   * same endpoint sends it after the commit; after a rollback, nothing remains of it. If nobody calls `pay` within
   * `sendPreparedAfterMs`, the journal sends what needs neither a card nor the customer, and reports the rest as `PREPARED_WAITS`.
   *
   *     const prepared = await journal.prepare('invoice 77', 'sale', sale, database)
   *     database.exec(prepared.ok ? 'commit' : 'rollback')
   *
   * `ok: false`: nothing was written, and `intent` is not stored. `conflict` says why: the key stands already, or the order is
   * being changed. The fields of the input are checked by `pay`.
   *
   * @throws TypeError for a wrong key, operation or option, before anything is written; what the store throws
   */
  prepare<K extends OperationName>(
    key: BusinessKey,
    operation: K,
    input: JournalInput<K>,
    transaction: Transaction,
    endpoint?: PaymentEndpoint,
  ): Promise<InsertResult & { readonly intent: Intent }>
  /** All attempts of a business key, the first one first. */
  attempts(key: BusinessKey): Promise<readonly Intent[]>
  /**
   * Checks every status that is due and calls the handler with every outcome that waits, once: `start` does this in the
   * background. It waits for all of it; for a handler that hangs, until its time is over.
   */
  reconcile(): Promise<Reconciled>
  /**
   * For tests: does what is due by the journal's clock, started or not, and resolves when nothing is left that could move now.
   * By then the payments, callbacks and handlers under way have ended. It does not wait for later status checks: advance a
   * virtual clock first.
   *
   * @throws Error if the handler of an outcome failed when it was called last, with what it threw as its `cause`
   */
  settled(): Promise<void>
  /** Reconciles in the background, in as many processes as there are. */
  start(): void
  /** For `createCallbackHandler`: callbacks are stored and acknowledged at once. */
  readonly inbox: CallbackInbox
  /**
   * What to show to a customer who comes back from the gateway, by the order that `readBrowserReturn` of the client returns.
   * It checks the status, at most once in two seconds, and waits for it for 10 seconds at most. What the browser brought proves
   * nothing.
   */
  browserReturn(clientOrderId: string | undefined): Promise<ReturnView>
  report(): Promise<JournalReport>
  /** Writes what someone has decided about an intent in review. The note is added to its evidence. */
  resolveReview(intentId: string, decision: ReviewDecision, note: string): Promise<Intent>
  /**
   * Ends the background work, and closes the store. It first waits for the work under way: for handlers up to
   * `handlerTimeoutMs`, for payments up to `deadlineMs`. From its call on, `pay`, `prepare` and `start` throw.
   */
  close(): Promise<void>
}

export interface Reconciled {
  /** How many intents were checked. */
  readonly checked: number
  /** How many outcomes the handler was called with. */
  readonly delivered: number
  /** How often `onOrphan` was called with an order without an intent. */
  readonly orphans: number
}

/** How many reminders of each kind there are at a start. The report has as many. */
const MOST_REMINDED = 1000

/**
 * Records what is sent to the gateway, so that nothing is sent twice and every outcome is known in the end
 * (docs/guides/unknown.md).
 *
 * @throws TypeError for a wrong option, Error if this Node is too old
 */
export function createJournal<Transaction>(options: JournalOptions<Transaction>): Journal<Transaction> {
  requireRecentNode('createJournal')
  const parts = readOptions(options)
  const { store, emit, wakeups, handler, leases } = parts
  const calls = new UnderWay()
  const turns = keyedMutex()
  const work: Reconciler = reconciler(parts, goOn, (intent) => sendPrepared(intent, parts, work))
  const failed = new Map<string, unknown>()
  // Without a handler the outcomes stay for a process that has one.
  const deliveries = handler && outcomeDelivery({ ...parts, handler }, failed, deliverNext)
  const orphans = orphanOrders(parts, goOn)
  const pools = [work.checks, ...(deliveries ? [deliveries] : []), orphans.checks, work.watches, orphans.watches]
  const background = loop(parts, begin, parts.skew.late)
  const news = listening(parts, goOn)
  const started = notStartedCheck(parts)
  const seeToSetBack = clockChanges(parts)
  /** Whether there may be an outcome to deliver. A callback makes none: it only makes a check due. */
  let mayDeliver = true
  let polledAt = Number.NEGATIVE_INFINITY
  /** Whether a call, a callback or a piece of work has ended since `settled` began to look. */
  let mayMove = false

  /** A piece of work has ended: there may be an outcome to deliver, or another piece to begin. */
  function goOn(): void {
    mayMove = true
    mayDeliver = true
    background.kick()
  }

  /** An outcome was delivered: another one may wait for its turn. */
  function deliverNext(): void {
    mayMove = true
    if (deliveries !== undefined && background.isRunning()) void reportFailures([deliveries.begin()])
  }

  /** Each pool has workers of its own: a handler that hangs holds up no status check, and no status check a handler. */
  async function begin(hasNews: boolean): Promise<void> {
    await reportFailures([seeToSetBack()])
    const now = parts.clock.now()
    // However many callbacks come, outcomes of other processes, and those that were put off, wait no longer than without any.
    const isAll = !hasNews || mayDeliver || now < polledAt || now - polledAt >= parts.pollMs
    if (isAll) [mayDeliver, polledAt] = [false, now]
    const due = isAll ? pools : pools.filter((pool) => pool !== deliveries)
    await reportFailures(due.map((pool) => pool.begin()))
  }

  async function reportFailures(works: readonly Promise<void>[]): Promise<void> {
    for (const one of await Promise.allSettled(works)) {
      if (one.status === 'rejected') emit({ type: 'RECONCILE_FAILED', error: one.reason })
    }
  }

  async function reconcile(): Promise<Reconciled> {
    started.begun()
    await seeToSetBack()
    const reportedBefore = orphans.reported()
    let [checked, delivered] = [0, 0]
    for (let watched = 1; watched > 0; ) {
      checked += await work.checks.finish()
      delivered += (await deliveries?.finish()) ?? 0
      await orphans.checks.finish()
      // Those that are watched may be very many: nothing that is open waits for more than a few of them.
      const payments = await work.watches.finish(1)
      checked += payments
      watched = payments + (await orphans.watches.finish(1))
    }
    return { checked, delivered, orphans: orphans.reported() - reportedBefore }
  }

  async function settled(): Promise<void> {
    do {
      mayMove = false
      await calls.ended()
      await reconcile()
    } while (mayMove || calls.isAny)
    for (const [key, cause] of failed)
      throw new Error(`the handler of ${key} failed, and is called again later: ${String(cause)}`, { cause })
  }

  /** Has checks made soon: by the background work of this process if it runs, else by another process. */
  function onCallback(): void {
    mayMove = true
    if (background.kick()) return
    wakeups?.wake().catch((error: unknown) => emit({ type: 'WAKEUP_FAILED', error }))
  }

  /** A call that may leave something due. With a long `pollMs` this process, or the one that works, has to learn of it. */
  async function withNews<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = await calls.during(call)
    if (wakeups !== undefined || parts.pollMs > POLL_MS) {
      mayDeliver = true
      onCallback()
    }
    return result
  }

  /** Reports again what an operator has to see to: a process may have died before it was reported. */
  async function remind(): Promise<void> {
    for (const intent of await store.inStates(['REVIEW'], MOST_REMINDED)) emit({ type: 'REVIEW', intent })
    const doubles = await store.suspectedDoubles(MOST_REMINDED)
    for (const intents of Map.groupBy(doubles, ({ businessKey }) => businessKey).values()) {
      emit({ type: 'DOUBLE_CHARGE_SUSPECTED', intents })
    }
  }

  /** The status check goes on even if nobody waits for it any more. */
  const check = singleFlight((asked) => withNews(async () => (await work.check(asked)).intent))
  const callbacks = inbox(parts, onCallback)
  const endDecisions = parts.onDecision?.(async ({ intentId, intentVersion, decision, note }) => {
    await withNews(() => resolveReview(intentId, decision as ReviewDecision, note, parts, intentVersion))
  })
  let isClosed = false

  /** Nothing would find out what became of a payment, and nothing would end the background work. */
  function requireOpen(): void {
    if (!isClosed) return
    throw new Error('The journal was closed. Close it last, after the server and all jobs; to go on, make a new one')
  }

  return {
    pay: async <K extends OperationName>(
      key: BusinessKey,
      operation: K,
      input: JournalInput<K>,
      payOptions: PayOptions = {},
    ) => {
      requireOpen()
      requirePayOptions(payOptions)
      started.pays()
      const { attempt, ...endpoint } = payOptions
      const asked = readAsked({ key, operation, input, endpoint })
      const result = await withNews(async () => {
        const meant = await attemptMeant(asked.key, attempt, store)
        const result = await turns(keyText(asked.key), () => pay(asked, { attempt: meant, parts, reconciler: work }))
        // It was asked for as `K`.
        return result as PayResult<K>
      })
      // Its callback was faster than its reply.
      if ((result.intent.nextCheckAt ?? Number.POSITIVE_INFINITY) <= parts.clock.now()) background.kick()
      return result
    },
    prepare: async (key, operation, input, transaction, endpoint = {}) => {
      requireOpen()
      requirePrepareOptions(endpoint)
      const asked = readAsked({ key, operation, input, endpoint })
      const intent = awaitingCaller(await newIntent(asked, [], parts, transaction), asked, parts)
      return { ...(await store.insert(intent, transaction)), intent }
    },
    attempts: (key) => store.attemptsOf(keyText(key)),
    reconcile,
    settled,
    start: () => {
      requireOpen()
      started.begun()
      remind().catch((error: unknown) => emit({ type: 'RECONCILE_FAILED', error }))
      background.start()
      news.begin()
    },
    inbox: { receive: (callback) => calls.during(() => callbacks.receive(callback)) },
    browserReturn: (clientOrderId) => calls.during(() => browserReturn(clientOrderId, parts, check)),
    report: () => reportOf(store),
    resolveReview: (intentId, decision, note) => withNews(() => resolveReview(intentId, decision, note, parts)),
    close: async () => {
      isClosed = true
      endDecisions?.()
      news.end()
      await background.stop()
      await Promise.all(pools.map((pool) => pool.stop()))
      // The gateway's answers still have to be written, and their callers wait for them.
      await calls.ended()
      await leases.renewed()
      try {
        await wakeups?.close()
      } finally {
        await store.close()
      }
    },
  }
}
