/**
 * Tells the processes of a shop that there is news in the journal, sooner than they would look by themselves. Nothing depends
 * on it: the tables are the truth, and what it misses they find at their next look.
 */
export interface Wakeups {
  /** From now on news call `onWake`, in one of the processes that listen. */
  listen(onWake: () => void): Promise<void>
  /** There is news: a callback, or a payment that is to be asked for. */
  wake(): Promise<void>
  close(): Promise<void>
}
