import type { OrderAction } from './actions.ts'

/** What a rule can apply to: an action on an order, its opening, a step of an operation, or what status shows. */
export type StateRuleSubject = OrderAction | 'open' | 'advance' | 'status'

/** A rule of state. */
export interface StateRule<Case = never> {
  /** The id in `spec/requirements` where the rule has one there, a word where it is our decision. */
  readonly id: string
  /** Where it is from: `interface` or `gaps` with the part and row, or `ours`: our decision. */
  readonly source: string
  readonly text: string
  readonly appliesTo: readonly StateRuleSubject[]
  /** Why the rule refuses this case, or `undefined`. A rule without it says what an action means. */
  readonly refuses?: (subject: Case) => string | undefined
}

/** Keeps the literals of a table of rules. */
export function defineRules<Case>() {
  return <const Rules extends readonly StateRule<Case>[]>(rules: Rules): Rules => rules
}
