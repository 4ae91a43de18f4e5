import type { StateRule, StateRuleSubject } from './state-rule.ts'
import type { StateRuleId } from './state-rules.ts'

/** A refusal that we expect: a value, never an exception. */
export interface StateRefusal {
  readonly allowed: false
  /** The rule that refuses, as `STATE_RULES` lists it. */
  readonly rule: StateRuleId
  /** Completes the sentence "refused, because ...". It holds no card data. */
  readonly reason: string
}

/** What the rules decide: allowed, with what follows, or refused. */
export type StateDecision<Result extends object> = ({ readonly allowed: true } & Result) | StateRefusal

export function allow<Result extends object>(result: Result): { readonly allowed: true } & Result {
  return { allowed: true, ...result }
}

export function refuse(rule: StateRuleId, reason: string): StateRefusal {
  return { allowed: false, rule, reason }
}

/** The first of the rules for a subject that refuses a case. */
export function firstRefusal<Case>(
  rules: readonly StateRule<Case, StateRuleId>[],
  subject: StateRuleSubject,
  given: Case,
): StateRefusal | undefined {
  for (const { id, appliesTo, refuses } of rules) {
    const reason = appliesTo.includes(subject) ? refuses?.(given) : undefined
    if (reason !== undefined) return refuse(id, reason)
  }
  return undefined
}
