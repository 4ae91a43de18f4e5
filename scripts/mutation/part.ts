/** A part of a package's sources that is mutated, and the tests that have to notice. */
export interface MutationPart {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** Whether it is part of the quick form, too. */
  readonly isQuick: boolean
}
