import { expectTypeOf, test } from 'vitest'
import type { JournalInput } from '../src/index.ts'

test('the input of a new order holds no client order id, and the compiler says why', () => {
  const told = 'The journal makes it: leave it out. Your own name for the payment is the business key.'
  expectTypeOf<JournalInput<'makeRebill'>['clientOrderId']>().toEqualTypeOf<typeof told | undefined>()
  expectTypeOf<{ cardRefId: string; amount: string; currency: string }>().toExtend<JournalInput<'makeRebill'>>()
  type Named = { clientOrderId: string; cardRefId: string; amount: string; currency: string }
  expectTypeOf<Named>().not.toExtend<JournalInput<'makeRebill'>>()
})

test('the input of what changes an order names it by both ids', () => {
  expectTypeOf<{ clientOrderId: string; orderId: string }>().toExtend<JournalInput<'capture'>>()
  expectTypeOf<{ orderId: string }>().not.toExtend<JournalInput<'capture'>>()
})
