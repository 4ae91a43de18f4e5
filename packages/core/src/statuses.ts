/** Statuses of a transaction that the interface family documents. Others are kept as text. */
export const STATUSES = ['approved', 'declined', 'filtered', 'error', 'processing', 'unknown'] as const

export type KnownStatus = (typeof STATUSES)[number]

/** A status: one of the documented ones, or another text that a gateway may send one day. */
export type Status = KnownStatus | (string & {})

/** The statuses that nothing follows by itself. */
export type FinalStatus = Exclude<KnownStatus, 'processing' | 'unknown'>

/**
 * Whether nothing more will happen by itself. `processing` and `unknown` are not final (`unknown` may
 * still turn into any final status), nor is a status that we do not know.
 */
export function isFinalStatus(status: Status): status is FinalStatus {
  return status !== 'processing' && status !== 'unknown' && STATUSES.some((known) => known === status)
}
