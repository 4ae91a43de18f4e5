/** A part of a package's sources that is mutated, and the tests that must notice. */
export interface MutationPart {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** Whether the quick form runs it too. */
  readonly isQuick: boolean
}
