import { buildInput, saleInput } from '@tallystick/testing'
import type { Purchase } from './purchase.ts'

const OPERATIONS = ['sale', 'payout', 'sale', 'preauth', 'payout'] as const satisfies readonly Purchase['operation'][]

/** The same purchase for the same number, at any time: a shop can read its orders again. */
export function purchaseOf(number: number, notifyUrl: string): Purchase {
  const money = { amount: `${1 + (number % 90)}.${10 + (number % 89)}`, currency: 'USD', notifyUrl }
  const operation = OPERATIONS[number % OPERATIONS.length] ?? 'sale'
  if (operation === 'payout') return { operation, input: withoutId(buildInput('payout', money)) }
  return { operation, input: withoutId(operation === 'sale' ? saleInput(money) : buildInput('preauth', money)) }
}

/** The journal makes the id. */
function withoutId<Input extends { readonly clientOrderId: string }>(withId: Input) {
  const { clientOrderId: _, ...input } = withId
  return input
}
