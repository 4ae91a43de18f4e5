import type { OpenOutcome } from '@tallystick/client/internal'
import { type WorkerPool, withinLimit, workerPool } from '../background/worker-pool.ts'
import type { JournalParts, ReportInput } from '../context.ts'

/** How many handlers run at once, each for another order, unless the store says otherwise. */
const CONCURRENCY = 4
const BATCH = 64
const FIRST_WAIT_MS = 1000
/** The longest wait before the handler is called again, however often it fails. */
export const LONGEST_PUT_OFF_MS = 300_000

type Parts<Transaction> = Omit<JournalParts<Transaction>, 'handler'> & {
  readonly handler: (input: ReportInput<Transaction>) => void | Promise<void>
}

/**
 * Calls the merchant's handler with the outcomes it has not had yet: those of one order one after the other, those of several
 * orders side by side.
 *
 * @param failed what the handler's last call threw, for each outcome that it has not taken yet
 */
export function outcomeDelivery<Transaction>(
  parts: Parts<Transaction>,
  failed: Map<string, unknown>,
  onDone: () => void,
): WorkerPool {
  const { store, clock } = parts
  return workerPool<OpenOutcome>({
    concurrency: store.maxDeliveries ?? CONCURRENCY,
    // More than are delivered at once: outcomes that another process works on must not block the others.
    take: () => store.openOutcomes(clock.now(), BATCH),
    nameOf: ({ outcome }) => outcome.clientOrderId,
    work: (open) => deliver(open, parts, failed),
    onDone,
  })
}

/** Gives whether the outcome was delivered now. If the handler fails, it comes again later, and the rest of its order waits. */
async function deliver<Transaction>(
  open: OpenOutcome,
  parts: Parts<Transaction>,
  failed: Map<string, unknown>,
): Promise<boolean> {
  const { outcome } = open
  const { store, clock, handler, handlerTimeoutMs, emit } = parts
  const limit = { clock, limitMs: handlerTimeoutMs, what: `The handler of ${outcome.key}` }
  try {
    const call = (transaction: Transaction) => withinLimit(() => handler({ outcome, transaction }), limit)
    const done = await store.deliver(outcome, clock.now(), call, handlerTimeoutMs)
    failed.delete(outcome.key)
    return done === 'done'
  } catch (error) {
    failed.set(outcome.key, error)
    emit({ type: 'HANDLER_FAILED', outcome, error })
    await putOff(open, parts)
    return false
  }
}

async function putOff<Transaction>({ outcome, failures }: OpenOutcome, parts: Parts<Transaction>): Promise<void> {
  const { store, clock, emit } = parts
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_PUT_OFF_MS)
  try {
    await store.putOff(outcome, clock.now() + wait)
  } catch (error) {
    // The outcome stays due, and comes again sooner.
    emit({ type: 'RECONCILE_FAILED', error })
  }
}
