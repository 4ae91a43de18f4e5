import type { Intent, Observation } from '@tallystick/client'
import { isFinalStatus, isPaymentError, NotSentError } from '@tallystick/core'
import { observationOf } from '../decide/look.ts'
import { isUnderWay } from '../decide/opening.ts'
import { endpointOf } from '../endpoint.ts'
import type { JournalParts } from '../options.ts'
import { isAtCheckedStage } from '../states.ts'

/**
 * What status tells of the order before it is changed. Nothing is sent without it. Nor while another change is under way: what
 * came of the two could not be told apart. Nor before the payment has its outcome: a gateway refuses that, unless the request
 * comes late, and what is kept until then tells nothing of what is kept afterwards.
 */
export async function snapshot<Transaction>(intent: Intent, parts: JournalParts<Transaction>) {
  const { clientOrderId, orderId, operation } = intent
  try {
    const reply = await parts.client.status({ clientOrderId, orderId }, endpointOf(intent))
    const observed = observationOf(reply, parts.exponents, intent.currency)
    const seen = undecidedOf(observed)
    if (seen === undefined) return observed
    return new NotSentError({
      operation,
      clientOrderId,
      seen,
      remedy: 'Nothing was sent: call again when that has ended.',
    })
  } catch (error) {
    if (isPaymentError(error)) return error
    throw error
  }
}

/** What of the order is not decided yet, in words for the merchant. */
function undecidedOf(observed: Observation): string | undefined {
  const { status, transactionType } = observed
  if (isUnderWay(observed))
    return `the order is being changed, its status shows a ${transactionType} that is not decided yet`
  if (isFinalStatus(status) || isAtCheckedStage(observed)) return undefined
  return `the order has no outcome yet, its status is ${status}`
}
