import type { Intent, JournalStore, StateCounts, StrayCallback } from '@tallystick/client'

/** What stands open, for a person: each list has the oldest first. */
export interface JournalReport {
  readonly counts: StateCounts
  /** May have taken effect: the reconciler is at it. */
  readonly unknown: readonly Intent[]
  /** Accepted, and no outcome yet. */
  readonly open: readonly Intent[]
  /** Need a person, but for those below. */
  readonly review: readonly Intent[]
  /** The gateway tells of another amount or currency than was asked for. */
  readonly differingAmounts: readonly Intent[]
  readonly presumedAbsent: readonly Intent[]
  /** Written and never sent: whoever has the card may pay them. */
  readonly notSent: readonly Intent[]
  /** Approved attempts of business keys of which two were approved. */
  readonly suspectedDoubles: readonly Intent[]
  /** Callbacks of orders that no intent has. */
  readonly strays: readonly StrayCallback[]
  /** Outcomes that the handler was not told yet. */
  readonly openOutcomes: number
}

const MOST = 1000

export async function reportOf(
  store: Pick<JournalStore, 'counts' | 'inStates' | 'suspectedDoubles' | 'strays' | 'countOpenOutcomes'>,
  most = MOST,
): Promise<JournalReport> {
  const inReview = await store.inStates(['REVIEW'], most)
  return {
    counts: await store.counts(),
    unknown: await store.inStates(['UNKNOWN', 'SENDING'], most),
    open: await store.inStates(['ACCEPTED'], most),
    review: inReview.filter(({ reviewReason }) => reviewReason !== 'AMOUNT_DIFFERS'),
    differingAmounts: inReview.filter(({ reviewReason }) => reviewReason === 'AMOUNT_DIFFERS'),
    presumedAbsent: await store.inStates(['PRESUMED_ABSENT'], most),
    notSent: await store.inStates(['PREPARED', 'NOT_SENT'], most),
    suspectedDoubles: await store.suspectedDoubles(most),
    strays: await store.strays(most),
    openOutcomes: await store.countOpenOutcomes(),
  }
}
