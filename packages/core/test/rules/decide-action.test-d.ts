import { expectTypeOf, test } from 'vitest'
import type { CreatedBy } from '../../src/rules/actions.ts'
import { decideReturn } from '../../src/rules/decide-action.ts'
import type { OpeningKind } from '../../src/rules/operation-kinds.ts'
import type { Order } from '../../src/rules/order.ts'
import type { StateRuleId } from '../../src/rules/state-rules.ts'
import type { OperationStatus } from '../../src/rules/transitions.ts'

test('the table gives the kinds that an action makes', () => {
  expectTypeOf<CreatedBy<'capture'>>().toEqualTypeOf<'capture'>()
  expectTypeOf<CreatedBy<'void'>>().toEqualTypeOf<'cancel' | 'reversal'>()
  expectTypeOf<CreatedBy<'pay' | 'release'>>().toEqualTypeOf<'payout-pay' | 'cancel'>()
})

test('the table gives the kinds that open an order', () => {
  expectTypeOf<OpeningKind>().toEqualTypeOf<
    'sale' | 'preauth' | 'account-verification' | 'payout-check' | 'payout' | 'transfer'
  >()
})

test('the machine gives the statuses', () => {
  expectTypeOf<OperationStatus>().toEqualTypeOf<
    'created' | 'sent' | 'processing' | 'unknown' | 'approved' | 'declined' | 'filtered' | 'error'
  >()
})

test('a refusal names a rule of the table, and an allowance what it makes', () => {
  const decision = decideReturn({} as Order, { at: 0 })
  if (decision.allowed) {
    expectTypeOf(decision.kind).toEqualTypeOf<'cancel' | 'reversal'>()
    expectTypeOf(decision.amount).toEqualTypeOf<bigint>()
  } else {
    expectTypeOf(decision.rule).toEqualTypeOf<StateRuleId>()
    expectTypeOf<'S3-06'>().toExtend<StateRuleId>()
    expectTypeOf<'S3-08'>().not.toExtend<StateRuleId>()
  }
})
