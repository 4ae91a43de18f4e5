import type { StateCounts } from '@tallystick/client/internal'
import type { Intent, JournalStore, OrphanOrder } from '@tallystick/client/ports'

/** What stands open, for an operator: each list has the oldest first, a thousand at most. */
export interface JournalReport {
  readonly counts: StateCounts
  /** May have taken effect; also refusals that the status has not confirmed. The reconciler is at it. */
  readonly unknown: readonly Intent[]
  /** Accepted, and no outcome yet. */
  readonly open: readonly Intent[]
  /** Someone must decide; without those in `differingAmounts`. */
  readonly review: readonly Intent[]
  /** In review because the gateway shows another amount or currency than was asked for. */
  readonly differingAmounts: readonly Intent[]
  readonly presumedAbsent: readonly Intent[]
  /** Stored and never sent: whoever has the card may pay them. The journal itself sends prepared ones that have an `input`. */
  readonly notSent: readonly Intent[]
  /** Approved attempts of business keys with two approved attempts, unless refunded in full since. */
  readonly suspectedDoubles: readonly Intent[]
  /**
   * Orders without an intent that callbacks have named and `onOrphan` was not called with yet; also the order of an intent whose
   * order id is not known yet.
   */
  readonly orphans: readonly OrphanOrder[]
  /** Outcomes that the handler was not called with yet. */
  readonly openOutcomes: number
}

const MOST = 1000

/** The part of a store that a report reads, whatever its transactions are. */
export type ReportedStore = Pick<
  JournalStore,
  'counts' | 'inStates' | 'unconfirmed' | 'suspectedDoubles' | 'orphans' | 'countOpenOutcomes'
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
    orphans: await store.orphans(most),
    openOutcomes: await store.countOpenOutcomes(),
  }
}

function oldestOf(intents: readonly Intent[], most: number): readonly Intent[] {
  return intents.toSorted((one, other) => one.createdAt - other.createdAt).slice(0, most)
}
