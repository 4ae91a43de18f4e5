import { OPERATION_KINDS, type OperationKind } from './operation-kinds.ts'
import { defineRules } from './state-rule.ts'

/** What an order would begin with. */
export interface Opening {
  readonly kind: OperationKind
  readonly amount: bigint
}

/** The rules about the first operation of an order. */
export const OPENING_RULES = defineRules<Opening>()([
  {
    id: 'opening-kind',
    source: 'interface part 3; gaps part 5',
    text: 'An order begins with a sale, a preauth, an account verification, a payout or its check, or a transfer.',
    appliesTo: ['open'],
    refuses: ({ kind }) => (OPERATION_KINDS[kind].opens ? undefined : `no order begins with a ${kind}`),
  },
  {
    id: 'opening-amount',
    source: 'interface part 4, account-verification; gaps part 3 (amounts)',
    text: 'An account verification is an authorization of zero; every other amount is above zero.',
    appliesTo: ['open'],
    refuses: ({ kind, amount }) => {
      if (kind === 'account-verification') return amount === 0n ? undefined : 'an account verification is of zero'
      return amount > 0n ? undefined : 'the amount must be above zero'
    },
  },
])
