import type { RequestInput } from '@tallystick/core'

/** An operation that opens an order, as the shop asked for it: it can ask for the very same again. */
export type Opening =
  | { readonly key: 'sale' | 'preauth'; readonly input: RequestInput<'sale'> }
  | { readonly key: 'payout' | 'payoutCheck'; readonly input: RequestInput<'payout'> }

/** What the shop knows of an order that it asked for. */
export interface Known {
  readonly opening: Opening
  /** Once an acknowledgement was received, or status has told of it. */
  orderId: string | undefined
  /** An acknowledgement was received: from then on it must never be lost. */
  isAcknowledged: boolean
  /** Of operations on it that were acknowledged and not asked for yet. */
  readonly serialNumbers: string[]
  /** The process that it was last sent something, by number. */
  touchedIn: number
  /** Whether its status is still to be asked for. */
  isOpen: boolean
}

/** Everything that the shop has asked for. */
export interface Book {
  readonly orders: Map<string, Known>
  /** Of orders that can be captured, returned or paid: those that came last are asked for most. */
  readonly modifiable: Known[]
  readonly findings: string[]
  acknowledgements: number
}

export function emptyBook(): Book {
  return { orders: new Map(), modifiable: [], findings: [], acknowledgements: 0 }
}
