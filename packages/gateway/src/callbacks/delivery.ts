/** A callback on its way: what is called, how often it was, and when again. It is written with the change it tells of. */
export interface Delivery {
  readonly id: string
  readonly orderId: string
  /** With the documented parameters and their control. */
  readonly url: string
  readonly createdAt: number
  /** When it is sent next, in milliseconds since 1970. Absent: it is over. */
  readonly dueAt?: number | undefined
  /** How often it was sent. */
  readonly made: number
  readonly firstAt?: number | undefined
  readonly state: DeliveryState
  /** How the last attempt ended: an HTTP status, or why there was none. */
  readonly lastAnswer?: string | undefined
}

/** A delivery that was in hand, as it is now. */
export interface Attempted {
  readonly delivery: Delivery
  /** The end of the claim by which it was in hand: then it would have been due again. */
  readonly claimedUntil: number | undefined
}

/**
 * `refused`: the merchant answered 410, and is called no more. `given-up`: 30 attempts or 14 days are over, or there is no
 * address for it any more.
 */
export type DeliveryState = 'open' | 'acknowledged' | 'refused' | 'given-up'
