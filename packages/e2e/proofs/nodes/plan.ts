import type { Order } from '@tallystick/proof-kit'

/** How much is sold and replayed, and from which order on no process is killed any more. */
export interface Plan {
  readonly orders: number
  readonly peaceAt: number
  readonly replays: number
  /** How many replays are due before the order with this number comes. */
  replaysBefore(number: number): number
}

/**
 * While processes are killed, a replay mostly reaches none, or waits for the server. So the long form has a fifth more orders
 * after that, and makes most of its replays then, of older nonces as well. The quick form has no time for that.
 */
const LONG = { underFire: 4, inPeace: 80, peaceful: 0.2 }
const QUICK = { underFire: 3, inPeace: 0, peaceful: 0 }
/** By how many orders the replays may be behind: a nonce is young only for a while. */
const MOST_AHEAD = 20

export function planOf({ runs, isQuick }: Pick<Order, 'runs' | 'isQuick'>): Plan {
  const { underFire, inPeace, peaceful } = isQuick ? QUICK : LONG
  const orders = runs + Math.floor(runs * peaceful)
  const made = (number: number) => Math.min(number, runs) * underFire + Math.max(0, number - runs) * inPeace
  return {
    orders,
    peaceAt: runs,
    replays: made(orders),
    replaysBefore: (number) => made(Math.max(0, number - MOST_AHEAD)),
  }
}
