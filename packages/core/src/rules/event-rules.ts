import { isFinalStatus } from '../statuses.ts'
import { OPERATION_KINDS, type OperationKind } from './operation-kinds.ts'
import type { Order, OrderOperation } from './order.ts'
import { defineRules } from './state-rule.ts'
import { mayBecome, type OperationStatus } from './transitions.ts'

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

/** A step of an operation. */
export interface Step {
  readonly from: OperationStatus
  readonly to: OperationStatus
}

/** The rules about a step: each says why it refuses a step that `TRANSITIONS` does not have. */
export const STEP_RULES = defineRules<Step>()([
  {
    id: 'G5-01',
    source: 'gaps part 5, statuses',
    text: '`approved`, `declined`, `filtered` and `error` are final; an operation never leaves a final status.',
    appliesTo: ['advance'],
    refuses: ({ from }) => (isFinalStatus(from) ? `${from} is final` : undefined),
  },
  {
    id: 'G12-10',
    source: 'gaps part 12, C10',
    text: '`unknown` is not final: it may become any final status, and nothing else.',
    appliesTo: ['advance'],
    refuses: ({ from, to }) => (from === 'unknown' ? notReached(from, to) : undefined),
  },
  {
    id: 'G5-06',
    source: 'gaps part 5, allowed moves',
    text: '`processing` may become any final status or `unknown`.',
    appliesTo: ['advance'],
    refuses: ({ from, to }) => (from === 'processing' ? notReached(from, to) : undefined),
  },
  {
    id: 'operation-machine',
    source: 'ours: how an operation begins',
    text: 'An operation is created, then sent, then gets a status; if interrupted before it is sent, it ends in error.',
    appliesTo: ['advance'],
    refuses: ({ from, to }) => notReached(from, to),
  },
])

function notReached(from: OperationStatus, to: OperationStatus): string | undefined {
  return mayBecome(from, to) ? undefined : `${from} does not become ${to}`
}

export const CARD_RULES = defineRules<Order>()([
  {
    id: 'G3.2-15',
    source: 'gaps part 3.2, create-card-ref',
    text: 'A card reference can be made once the payment is finally approved; for a checked payout, once it is paid.',
    appliesTo: ['store-card'],
    refuses: (order) =>
      firstPayment(order)?.status === 'approved' ? undefined : 'the first payment is not finally approved',
  },
])

/** A successful payout-check is not final: status shows `approved` only after payout-pay (gaps part 13). */
function firstPayment({ opening, operations }: Order): OrderOperation | undefined {
  return opening.kind === 'payout-check' ? operations.find(({ kind }) => kind === 'payout-pay') : opening
}
