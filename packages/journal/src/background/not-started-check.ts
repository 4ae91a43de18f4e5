import type { JournalParts } from '../options.ts'

/** Notices a journal with a handler that was never started. */
export interface ForgottenStart {
  /** `start` or `reconcile` was called. */
  begun(): void
  /** A payment is made. */
  pays(): void
}

/** A process may pay for this long before it starts its journal. */
const LATE_MS = 60_000

/**
 * A journal that was never started pays like any other, but never calls its handler. That is noticed at a payment that comes long
 * after the first.
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
