/** Notes in a store that outlives the process: checks of the keys of its cards, and the exponents of its amounts. */
export interface KeyFingerprints {
  /** Adds each of these unless there is a note of its name. Returns all notes. */
  note(checks: readonly KeyCheck[]): Promise<readonly KeyCheck[]>
  /** Whether the data key of any card is wrapped by this key. */
  isInUse(keyId: string): Promise<boolean>
}

/** Identifies a key without revealing it. */
export interface KeyCheck {
  /** As the key file names it: `fingerprint`, or `wrapping.` and the id. */
  readonly name: string
  readonly value: string
}
