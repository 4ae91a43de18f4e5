import type { Intent, JournalStore, StateCounts, StrayOrder } from '@tallystick/client'

/** What stands open, for a person: each list has the oldest first, a thousand at most. */
export interface JournalReport {
  readonly counts: StateCounts
  /** May have taken effect, what was refused and is not confirmed by the status among it: the reconciler is at it. */
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
  /** Approved attempts of business keys of which two were approved, and not given back whole since. */
  readonly suspectedDoubles: readonly Intent[]
  /**
   * Orders that callbacks tell of and no intent has made, and that `onStray` was not told of yet; also that of an intent
   * while its order id is not known.
   */
  readonly strays: readonly StrayOrder[]
  /** Outcomes that the handler was not told yet. */
  readonly openOutcomes: number
}

const MOST = 1000

/** What a report reads, whatever the transactions are. */
export type ReportedStore = Pick<
  JournalStore,
  'counts' | 'inStates' | 'unconfirmed' | 'suspectedDoubles' | 'strays' | 'countOpenOutcomes'
>

export async function reportOf(store: ReportedStore, most = MOST): Promise<JournalReport> {
  const inReview = await store.inStates(['REVIEW'], most)
  return {
    counts: await store.counts(),
    unknown: oldestOf(
      [...(await store.inStates(['UNKNOWN', 'SENDING'], most)), ...(await store.unconfirmed(most))],
      most,
    ),
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

function oldestOf(intents: readonly Intent[], most: number): readonly Intent[] {
  return intents.toSorted((one, other) => one.createdAt - other.createdAt).slice(0, most)
}
