import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SimulatedTransaction } from './simulated-transaction.ts'

/** How the customer fared at the simulated access control server. */
export type Verdict = 'authenticated' | 'failed' | 'cancelled'

const VERDICTS: readonly Verdict[] = ['authenticated', 'failed', 'cancelled']

/** Proves that the server wrote a message: an HMAC of the transaction's ids and the verdict, under the transaction's secret. */
export function markOf({ secret, threeDsServerTransId, acsTransId, xid }: SimulatedTransaction, verdict: Verdict) {
  const covered = JSON.stringify([threeDsServerTransId, acsTransId, xid, verdict])
  return createHmac('sha256', secret).update(covered).digest('base64')
}

/**
 * The verdict of a message, if the server wrote it. The server writes exactly one message for each verdict. One that was
 * changed or made elsewhere equals none of them, so nothing has to be parsed.
 */
export function verdictIn(message: Uint8Array, write: (verdict: Verdict) => string): Verdict | undefined {
  return VERDICTS.find((verdict) => timingSafeEqual(digestOf(message), digestOf(write(verdict))))
}

function digestOf(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest()
}
