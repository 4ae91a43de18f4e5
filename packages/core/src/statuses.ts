/** Statuses of a transaction that the interface family documents. Others stay as text. */
export const STATUSES = ['approved', 'declined', 'filtered', 'error', 'processing', 'unknown'] as const

/** A status that the specification names. */
export type KnownStatus = (typeof STATUSES)[number]

/** A status: one of the documented ones, or another text that a gateway may send one day. */
export type Status = KnownStatus | (string & {})

/** The statuses after which nothing follows on its own. */
export type FinalStatus = Exclude<KnownStatus, 'processing' | 'unknown'>

/**
 * Whether nothing more will happen on its own. `processing` and `unknown` are not final (`unknown` may still become any
 * final status), nor is a status that is not documented.
 */
export function isFinalStatus(status: Status): status is FinalStatus {
  return status !== 'processing' && status !== 'unknown' && STATUSES.some((known) => known === status)
}
