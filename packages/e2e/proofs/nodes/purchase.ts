import type { JournalInput } from '@tallystick/journal'

/** What a customer's order asks for. A payout is signed by OAuth, with a nonce; the others by the control. */
export type Purchase =
  | { readonly operation: 'sale' | 'preauth'; readonly input: JournalInput<'sale'> }
  | { readonly operation: 'payout'; readonly input: JournalInput<'payout'> }

const KEY = 'order '

/** The business key of a customer's order. */
export function businessKeyOf(number: number): string {
  return KEY + number
}

export function numberOf(businessKey: string): number {
  return Number(businessKey.slice(KEY.length))
}
