/**
 * Notifies the processes of a shop of changes in the journal, sooner than they would look. Nothing depends on it: the tables are
 * the truth, and what it misses they find at their next look.
 */
export interface Notifier {
  /** From now on each change calls `onWake`, in one of the processes that listen. */
  listen(onWake: () => void): Promise<void>
  /** Something has changed: a callback came, or a payment needs a status check. */
  wake(): Promise<void>
  close(): Promise<void>
}
