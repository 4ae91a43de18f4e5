import type { OpenOutcome } from '@tallystick/client'
import { type Crew, crew } from './crew.ts'
import type { JournalParts, OutcomeHandler } from './options.ts'
import { withinLimit } from './within-limit.ts'

/** How many handlers run at the same time, each of another order, where the store does not say. */
const HANDS = 4
const BATCH = 64
const FIRST_WAIT_MS = 1000
/** How long an outcome is put off at most, however often its handler fails. */
export const LONGEST_PUT_OFF_MS = 300_000

type Parts<Transaction> = Omit<JournalParts<Transaction>, 'handler'> & { readonly handler: OutcomeHandler<Transaction> }

/**
 * Tells the merchant's handler what it was not told yet: the outcomes of an order one after the other, those of several
 * orders beside each other.
 */
export function handOvers<Transaction>(parts: Parts<Transaction>, onDone: () => void): Crew {
  const { store, clock } = parts
  return crew<OpenOutcome>({
    hands: store.mostHandOvers ?? HANDS,
    // More than there are hands: what another process is at must not stand in the way of the others.
    take: () => store.openOutcomes(clock.now(), BATCH),
    nameOf: ({ outcome }) => outcome.clientOrderId,
    work: (open) => handOver(open, parts),
    onDone,
  })
}

/** Whether the handler was told now. One that failed comes again later, and others of its order wait for it. */
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
    // It stays due, and comes again sooner.
    tell({ type: 'RECONCILE_FAILED', error })
  }
}
