import type { CallbackInbox, Inserted, Intent } from '@tallystick/client'
import { browserReturn, type ReturnView } from './browser-return.ts'
import { type BusinessKey, keyText } from './business-key.ts'
import { type EndpointOptions, readEndpoint } from './endpoint.ts'
import { handOverAll } from './hand-over.ts'
import { inbox } from './inbox.ts'
import { loop } from './loop.ts'
import type { JournaledOperation, JournalInput } from './operation-facts.ts'
import { type JournalOptions, readOptions } from './options.ts'
import { reconciler } from './reconcile/reconciler.ts'
import { handOverStrays } from './reconcile/stray-orders.ts'
import { type JournalReport, reportOf } from './report.ts'
import { newIntent } from './sending/new-intent.ts'
import { type PayOptions, pay } from './sending/pay.ts'
import type { PayResult } from './sending/pay-result.ts'
import { type ReviewDecision, settleReview } from './settle-review.ts'

export interface Journal<Transaction = undefined> {
  /**
   * Pays once, whatever happens: the same business key, called again after a crash or by another process, tells how the
   * payment stands and sends nothing twice. The outcome comes to the handler.
   *
   * @throws TypeError for a wrong key; what the store throws, and then nothing was sent or the reconciler finds out
   */
  pay<K extends JournaledOperation>(
    key: BusinessKey,
    operation: K,
    input: JournalInput<K>,
    options?: PayOptions,
  ): Promise<PayResult<K>>
  /**
   * Writes the intent within a transaction of the merchant's, together with his order. `pay` with the same key and the same
   * endpoint sends it once that is committed; taken back, nothing ever was.
   */
  prepare<K extends JournaledOperation>(
    key: BusinessKey,
    operation: K,
    input: JournalInput<K>,
    transaction: Transaction,
    endpoint?: EndpointOptions,
  ): Promise<Inserted & { readonly intent: Intent }>
  /** All attempts of a business key, the first one first. */
  attempts(key: BusinessKey): Promise<readonly Intent[]>
  /** Looks at everything that is due, and tells the handler what it was not told: what `start` does by itself. */
  reconcile(): Promise<Reconciled>
  /** Reconciles in the background, in as many processes as there are. */
  start(): void
  /** For `createCallbackHandler`: callbacks are kept and acknowledged at once. */
  readonly inbox: CallbackInbox
  /**
   * What to show to a customer who comes back from the gateway, by the order that `readBrowserReturn` of the client gives.
   * It has the status asked, at most once in two seconds; what the browser brought proves nothing.
   */
  browserReturn(clientOrderId: string | undefined): Promise<ReturnView>
  report(): Promise<JournalReport>
  /** A person has decided about an intent in review. The note goes into its evidence. */
  settleReview(intentId: string, decision: ReviewDecision, note: string): Promise<Intent>
  /** Ends the background work, and closes the store. */
  close(): Promise<void>
}

export interface Reconciled {
  /** How many intents were looked at. */
  readonly looked: number
  /** How many outcomes the handler was told. */
  readonly handedOver: number
  /** How often `onStray` was told of an order that no intent has. */
  readonly strays: number
}

/**
 * Keeps what was sent to the gateway, so that nothing is sent twice and everything is known in the end (SAFETY.md part 1).
 *
 * @throws TypeError for a wrong option
 */
export function createJournal<Transaction>(options: JournalOptions<Transaction>): Journal<Transaction> {
  const parts = readOptions(options)
  const { store, tell, wakeups } = parts
  const work = reconciler(parts)
  const background = loop(parts, reconcile)

  async function reconcile(): Promise<Reconciled> {
    return {
      looked: await work.pass(),
      handedOver: await handOverAll(parts),
      strays: await handOverStrays(parts),
    }
  }

  /** Where the background work is, in this process or in another one, it is done soon. */
  function onNews(): void {
    if (background.kick()) return
    wakeups?.wake().catch((error: unknown) => tell({ type: 'WAKEUP_FAILED', error }))
  }

  /** Whoever was to hear of it may have died before he did. */
  async function remind(): Promise<void> {
    const { review, differingAmounts, suspectedDoubles } = await reportOf(store)
    for (const intent of [...review, ...differingAmounts]) tell({ type: 'REVIEW', intent })
    for (const intents of Map.groupBy(suspectedDoubles, ({ businessKey }) => businessKey).values()) {
      tell({ type: 'DOUBLE_CHARGE_SUSPECTED', intents })
    }
  }

  return {
    pay: async (key, operation, input, { attempt, ...endpoint } = {}) => {
      const paid = await pay({ key, operation, input, endpoint: readEndpoint(endpoint) }, { attempt }, parts, work)
      // Who looks seldom by himself has to learn when it is due.
      if (wakeups !== undefined) onNews()
      return paid
    },
    prepare: async (key, operation, input, transaction, endpoint = {}) => {
      const intent = await newIntent({ key, operation, input, endpoint: readEndpoint(endpoint) }, 1, parts)
      return { ...(await store.insert(intent, transaction)), intent }
    },
    attempts: (key) => store.attemptsOf(keyText(key)),
    reconcile,
    start: () => {
      remind().catch((error: unknown) => tell({ type: 'RECONCILE_FAILED', error }))
      background.start()
      wakeups?.listen(background.kick).catch((error: unknown) => tell({ type: 'WAKEUP_FAILED', error }))
    },
    inbox: inbox(parts, onNews),
    browserReturn: (clientOrderId) => browserReturn(clientOrderId, parts, work),
    report: () => reportOf(store),
    settleReview: (intentId, decision, note) => settleReview(intentId, decision, note, parts),
    close: async () => {
      await background.stop()
      try {
        await wakeups?.close()
      } finally {
        await store.close()
      }
    },
  }
}
