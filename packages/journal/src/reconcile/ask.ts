import type { Intent } from '@tallystick/client'
import { PaymentError, RejectedError } from '@tallystick/core'
import type { Look } from '../decide/look.ts'
import type { JournalParts } from '../options.ts'

/** Asks the signed status, once. A new order is asked for by our id alone: the answer has to name the gateway's. */
export async function ask<Transaction>(
  { kind, clientOrderId, orderId, serialNumber }: Intent,
  { client, isNoSuchOrder }: JournalParts<Transaction>,
): Promise<Look> {
  const names = kind === 'modification' ? { clientOrderId, orderId, byRequestSn: serialNumber } : { clientOrderId }
  try {
    return { kind: 'found', reply: await client.status(names) }
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    const isAbsent = error instanceof RejectedError && isNoSuchOrder(error)
    return { kind: isAbsent ? 'absent' : 'silent', seen: error.message }
  }
}
