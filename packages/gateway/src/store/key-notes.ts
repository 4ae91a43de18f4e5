import type { KeyCheck } from '../vault/key-checks.ts'

/** Which keys the cards of a store that outlives the process are kept under. */
export interface KeyNotes {
  /** Notes these, each unless there is one of its name. Gives all that are noted. */
  note(checks: readonly KeyCheck[]): Promise<readonly KeyCheck[]>
  /** Whether the data key of a card is wrapped by this key. */
  isInUse(keyId: string): Promise<boolean>
}
