import type { RequestInput } from '@tallystick/core'

/** An operation that opens an order, as the shop asked for it: it can send the very same request again. */
export type Opening =
  | { readonly key: 'sale' | 'preauth'; readonly input: RequestInput<'sale'> }
  | { readonly key: 'payout' | 'payoutCheck'; readonly input: RequestInput<'payout'> }

/** What the shop knows about an order that it asked for. */
export interface Known {
  readonly opening: Opening
  /** Known once an acknowledgement was received or a status named it. */
  orderId: string | undefined
  /** An acknowledgement was received: from then on the order must never be lost. */
  isAcknowledged: boolean
  /** The serial numbers of acknowledged operations on it that were not checked yet. */
  readonly serialNumbers: string[]
  /** The number of the process that was last sent something about it. */
  touchedIn: number
  /** Whether its status is still to be checked. */
  isOpen: boolean
}

/** Everything that the shop has asked for. */
export interface Book {
  readonly orders: Map<string, Known>
  /** The orders that can be captured, returned or paid. Most requests are about the last of them. */
  readonly modifiable: Known[]
  readonly findings: string[]
  acknowledgements: number
}

export function emptyBook(): Book {
  return { orders: new Map(), modifiable: [], findings: [], acknowledgements: 0 }
}
