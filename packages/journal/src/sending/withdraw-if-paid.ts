import type { Intent } from '@tallystick/client'
import type { JournalParts } from '../options.ts'
import { withdraw } from './withdraw.ts'

/**
 * Withdraws the second step of a payout that was paid under another business key: the money of a check leaves once, whatever
 * the keys are called and whatever a gateway would answer. `undefined`: it was not paid.
 */
export async function withdrawIfPaid<Transaction>(
  intent: Intent,
  parts: Pick<JournalParts<Transaction>, 'store' | 'clock'>,
): Promise<Intent | undefined> {
  if (intent.operation !== 'payoutPay') return undefined
  const ofId = await parts.store.ofOrder(intent.clientOrderId)
  const paid = ofId.find(
    ({ operation, orderId, state, status }) =>
      operation === 'payoutPay' && orderId === intent.orderId && state === 'FINAL' && status === 'approved',
  )
  if (paid === undefined) return undefined
  return await withdraw(intent, `withdrawn: the payout was paid before, as ${paid.businessKey}`, parts)
}
