import type { Intent, Observation } from '@tallystick/client'
import { isFinalStatus, isPaymentError, NotSentError } from '@tallystick/core'
import { endpointOf } from '../intents/endpoint.ts'
import { isAtCheckedStage } from '../intents/states.ts'
import type { JournalParts } from '../options.ts'
import { isUnderWay } from '../status/original-status.ts'
import { observationOf } from '../status/status-result.ts'

/**
 * The status of the order before it is changed, or the error that says why nothing may be sent:
 *
 * - The status is not answered: nothing is sent without a snapshot.
 * - Another change is under way: the outcomes of the two could not be told apart.
 * - The payment has no outcome yet: the gateway would refuse, unless the request arrives late, and the amount kept until then
 *   says nothing about the amount kept afterwards.
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

/** What is not decided yet about the order, in words for the merchant. */
function undecidedOf(observed: Observation): string | undefined {
  const { status, transactionType } = observed
  if (isUnderWay(observed))
    return `the order is being changed, its status shows a ${transactionType} that is not decided yet`
  if (isFinalStatus(status) || isAtCheckedStage(observed)) return undefined
  return `the order has no outcome yet, its status is ${status}`
}
