import type { JournalParts } from './options.ts'

/** Whether somebody does the work that a journal with a handler is there for. */
export interface ForgottenStart {
  /** The work was begun, in the background or by hand. */
  begun(): void
  /** A payment is made. */
  pays(): void
}

/** A process that starts its journal late has paid a little before. */
const LATE_MS = 60_000

/**
 * A journal that was never started pays like all others, and its handler is told nothing, ever. That is noticed at a payment
 * that comes long after the first.
 */
export function forgottenStart<Transaction>({
  clock,
  handler,
  tell,
}: Pick<JournalParts<Transaction>, 'clock' | 'handler' | 'tell'>): ForgottenStart {
  let isKnown = handler === undefined
  let firstAt: number | undefined
  return {
    begun: () => {
      isKnown = true
    },
    pays: () => {
      if (isKnown) return
      firstAt ??= clock.now()
      if (clock.now() - firstAt < LATE_MS) return
      isKnown = true
      tell({ type: 'NOT_STARTED' })
    },
  }
}
