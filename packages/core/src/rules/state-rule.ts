import type { OrderAction } from './actions.ts'

/** What a rule can apply to: an action on an order, its card, its opening, a step of an operation, or what status shows. */
export type StateRuleSubject = OrderAction | 'store-card' | 'open' | 'advance' | 'status'

/** A rule of state. */
export interface StateRule<Case = never, Id extends string = string> {
  /** The id in `spec/requirements` if the rule has one there, or a word if it is our decision. */
  readonly id: Id
  /** Its origin: `interface` is the specification, `gaps` is public sources, `ours` is our decision. */
  readonly source: string
  readonly text: string
  readonly appliesTo: readonly StateRuleSubject[]
  /** Why the rule refuses this case, or `undefined`. A rule without it says what an action means. */
  readonly refuses?: (subject: Case) => string | undefined
}

/** Keeps the ids of a table of rules. */
export function defineRules<Case>() {
  return <const Id extends string>(rules: readonly StateRule<Case, Id>[]): readonly StateRule<Case, Id>[] => rules
}
