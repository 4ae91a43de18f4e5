import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SimulatedTransaction } from './transaction.ts'

/** How the customer fared at the simulated access control server. */
export type Verdict = 'authenticated' | 'failed' | 'cancelled'

const VERDICTS: readonly Verdict[] = ['authenticated', 'failed', 'cancelled']

/** What makes a message the server's own: over the ids of the transaction and the verdict, under its secret. */
export function markOf({ secret, threeDsServerTransId, acsTransId, xid }: SimulatedTransaction, verdict: Verdict) {
  const covered = JSON.stringify([threeDsServerTransId, acsTransId, xid, verdict])
  return createHmac('sha256', secret).update(covered).digest('base64')
}

/**
 * Which verdict a message tells, if the server has written it. The server writes one message for each verdict: a message in
 * which anything was changed, or that was made elsewhere, is none of these. Nothing of it has to be parsed.
 */
export function verdictIn(message: Uint8Array, write: (verdict: Verdict) => string): Verdict | undefined {
  return VERDICTS.find((verdict) => timingSafeEqual(digestOf(message), digestOf(write(verdict))))
}

function digestOf(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest()
}
