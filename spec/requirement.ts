/** One rule of the interface, which at least one test verifies by citing its id in square brackets. */
export interface Requirement {
  /** `S<part>-<nn>` for a rule that the specification states, `G<part>-<nn>` for one that fills a gap, `F-<number>` for a fault that people met. */
  readonly id: string
  /** The part of `interface.md` (or of `gaps.md`) that the rule is from: `'5.1'`, `'3.2'`. The letter of a fault. */
  readonly part: string
  readonly origin: 'stated' | 'filled in' | 'met'
  /** The rule, short and exact; a stated one is in the words of the specification. */
  readonly text: string
  /** Why no test verifies it yet. Absent once a test does. */
  readonly deferred?: string
}
