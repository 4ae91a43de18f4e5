import { ACTION_RULES } from './action-rules.ts'
import { CARD_RULES, OPENING_RULES, STEP_RULES } from './event-rules.ts'
import { defineRules, type StateRuleSubject } from './state-rule.ts'

/** The rules about what an order shows and how it is stored. */
const ORDER_RULES = defineRules<never>()([
  {
    id: 'operation-id',
    source: 'ours: operations are append-only',
    text: 'An operation is appended once, under its own id, and changed by that id.',
    appliesTo: ['capture', 'void', 'return', 'pay', 'chargeback', 'release', 'advance'],
  },
  {
    id: 'G13-20',
    source: 'gaps part 13, what status shows',
    text: "Status shows the order's last operation, what is held or kept now, and what was asked for.",
    appliesTo: ['status'],
  },
  {
    id: 'G13-21',
    source: 'gaps part 13, what status shows',
    text: 'After payout-check, status is processing at the stage `payout_checked`; approved only after payout-pay.',
    appliesTo: ['status'],
  },
])

const TABLE = [...OPENING_RULES, ...ACTION_RULES, ...CARD_RULES, ...STEP_RULES, ...ORDER_RULES]

/** The id of a rule, as refusals name it. */
export type StateRuleId = (typeof TABLE)[number]['id']

/** A rule as documents list it. */
export interface StateRuleEntry {
  readonly id: StateRuleId
  /** Its origin, with the part and row. */
  readonly source: string
  readonly text: string
  readonly appliesTo: readonly StateRuleSubject[]
}

/** Every rule of state: the one table that guards, unions, documents and tests read. */
export const STATE_RULES: readonly StateRuleEntry[] = TABLE
