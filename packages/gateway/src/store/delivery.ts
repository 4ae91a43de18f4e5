/** A callback to send: its address, the attempts so far, and the time of the next. It is written with the outcome it reports. */
export interface Delivery {
  readonly id: string
  readonly orderId: string
  /** With the documented parameters and their control. */
  readonly url: string
  readonly createdAt: number
  /** When it is next sent, in milliseconds since 1970. Absent: it is over. */
  readonly dueAt?: number | undefined
  /** How often it was sent. */
  readonly made: number
  readonly firstAt?: number | undefined
  readonly state: DeliveryState
  /** When it was given up or refused. Absent in the other states. */
  readonly givenUpAt?: number | undefined
  /** How the last attempt ended: an HTTP status, or why there was none. */
  readonly lastAnswer?: string | undefined
}

/** A delivery that was claimed, as it is after the attempt. */
export interface Attempted {
  readonly delivery: Delivery
  /** When the claim on it ends. The delivery would be due again then. */
  readonly claimedUntil: number | undefined
}

/**
 * `refused`: the merchant answered 410, and is not called again. `given-up`: after 30 attempts or 14 days, or because no
 * address is configured for it any more.
 */
export type DeliveryState = 'open' | 'acknowledged' | 'refused' | 'given-up'
