/** What a store has to know of the clock that was set back, and of how far ahead anything is written. */
export interface ClockSetBack {
  readonly now: number
  /** What was noted by now has no later time, by whatever clock. */
  readonly latest: number
  /** How long a lease is, */
  readonly leaseMs: number
  /** and for how long an outcome is put off at most. */
  readonly putOffMs: number
}
