import type { OpenOutcome } from '@tallystick/client'
import type { JournalParts, OutcomeHandler } from './options.ts'

const BATCH = 64
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 300_000

/**
 * Tells the merchant's handler what it was not told yet: the outcomes of an order one after the other. Gives how many it
 * was told. Without a handler all of them stay for a process that has one.
 */
export async function handOverAll<Transaction>(parts: JournalParts<Transaction>): Promise<number> {
  const { store, clock, handler } = parts
  if (handler === undefined) return 0
  let told = 0
  for (;;) {
    const open = await store.openOutcomes(clock.now(), BATCH)
    const before = told
    for (const one of open) if (await handOver(one, { ...parts, handler })) told++
    // Behind the last one of an order there may be the next. What is left otherwise, another process is at.
    if (told === before) return told
  }
}

type Parts<Transaction> = Omit<JournalParts<Transaction>, 'handler'> & { readonly handler: OutcomeHandler<Transaction> }

/** Whether the handler was told now. One that failed comes again later, and others of its order wait for it. */
async function handOver<Transaction>({ outcome, failures }: OpenOutcome, parts: Parts<Transaction>): Promise<boolean> {
  const { store, clock, handler, tell } = parts
  try {
    const done = await store.handOver(outcome, clock.now(), (transaction) => handler({ outcome, transaction }))
    return done === 'done'
  } catch (error) {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
    await store.putOff(outcome, clock.now() + wait)
    tell({ type: 'HANDLER_FAILED', outcome, error })
    return false
  }
}
