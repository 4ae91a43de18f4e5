/** What a store has to know if the clock was set back. */
export interface ClockSetBack {
  readonly now: number
  /** No clock of a shop is further ahead than this: a later time was written before the clock was set back. */
  readonly latest: number
  /** How long a lease lasts. */
  readonly leaseMs: number
  /** How long an outcome is put off at most. */
  readonly putOffMs: number
}
