import type { OpenOutcome } from '@tallystick/client/internal'
import { type WorkerPool, withinLimit, workerPool } from '../background/worker-pool.ts'
import type { JournalParts, ReportInput } from '../context.ts'

/** How many handlers run at the same time, each for another order, unless the store says otherwise. */
const HANDS = 4
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
 */
export function outcomeDelivery<Transaction>(parts: Parts<Transaction>, onDone: () => void): WorkerPool {
  const { store, clock } = parts
  return workerPool<OpenOutcome>({
    hands: store.mostHandOvers ?? HANDS,
    // More than there are hands: outcomes that another process works on must not block the others.
    take: () => store.openOutcomes(clock.now(), BATCH),
    nameOf: ({ outcome }) => outcome.clientOrderId,
    work: (open) => handOver(open, parts),
    onDone,
  })
}

/** Gives whether the outcome was handed over now. If the handler fails, it comes again later, and the rest of its order waits. */
async function handOver<Transaction>(open: OpenOutcome, parts: Parts<Transaction>): Promise<boolean> {
  const { outcome } = open
  const { store, clock, handler, handlerTimeoutMs, tell } = parts
  const limit = { clock, limitMs: handlerTimeoutMs, what: `The handler of ${outcome.key}` }
  try {
    const told = (transaction: Transaction) => withinLimit(() => handler({ outcome, transaction }), limit)
    const done = await store.handOver(outcome, clock.now(), told, handlerTimeoutMs)
    return done === 'done'
  } catch (error) {
    tell({ type: 'HANDLER_FAILED', outcome, error })
    await putOff(open, parts)
    return false
  }
}

async function putOff<Transaction>({ outcome, failures }: OpenOutcome, parts: Parts<Transaction>): Promise<void> {
  const { store, clock, tell } = parts
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_PUT_OFF_MS)
  try {
    await store.putOff(outcome, clock.now() + wait)
  } catch (error) {
    // The outcome stays due, and comes again sooner.
    tell({ type: 'RECONCILE_FAILED', error })
  }
}
