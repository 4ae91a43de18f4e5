import type { JournalInput } from '@tallystick/journal'
import { buildInput, saleInput } from '@tallystick/testing'

/** What a customer's order asks for. A payout is signed by OAuth, with a nonce; the others by the control. */
export type Purchase =
  | { readonly operation: 'sale' | 'preauth'; readonly input: JournalInput<'sale'> }
  | { readonly operation: 'payout'; readonly input: JournalInput<'payout'> }

const KEY = 'order '

export function businessKeyOf(number: number): string {
  return KEY + number
}

export function numberOf(businessKey: string): number {
  return Number(businessKey.slice(KEY.length))
}

/** The same purchase for the same number, at any time: a shop can read its orders again. */
export function purchaseOf(number: number, operations: readonly Purchase['operation'][], notifyUrl: string): Purchase {
  const money = { amount: `${1 + (number % 90)}.${10 + (number % 89)}`, currency: 'USD', notifyUrl }
  const operation = operations[number % operations.length] ?? 'sale'
  if (operation === 'payout') return { operation, input: withoutId(buildInput('payout', money)) }
  return { operation, input: withoutId(operation === 'sale' ? saleInput(money) : buildInput('preauth', money)) }
}

/** The journal makes the id. */
function withoutId<Input extends { readonly clientOrderId: string }>(withId: Input) {
  const { clientOrderId: _, ...input } = withId
  return input
}
