import type { Intent, IntentEndpoint } from '@tallystick/client'
import { isPaymentError, type RequestInput } from '@tallystick/core'
import { endpointOf } from '../intents/endpoint.ts'
import type { JournalParts } from '../options.ts'
import type { Look } from '../status/status-result.ts'

type Parts<Transaction> = Pick<JournalParts<Transaction>, 'client' | 'isNoSuchOrder' | 'refusals'>

/**
 * Asks the status of an intent: by our id alone at first, so that the answer has to name the gateway's id. Once that is known, by
 * both, since a gateway that allows repeats may have another order under our id.
 */
export async function ask<Transaction>(intent: Intent, parts: Parts<Transaction>): Promise<Look> {
  const { kind, clientOrderId, orderId, serialNumber } = intent
  const names = { clientOrderId, orderId }
  return await askStatus(kind === 'modification' ? { ...names, byRequestSn: serialNumber } : names, intent, parts)
}

/** Asks the signed status once, at the endpoint that has the order. */
export async function askStatus<Transaction>(
  names: RequestInput<'status'>,
  endpoint: IntentEndpoint,
  { client, isNoSuchOrder, refusals }: Parts<Transaction>,
): Promise<Look> {
  try {
    const reply = await client.status(names, endpointOf(endpoint))
    refusals.answered(endpoint)
    return { kind: 'found', reply }
  } catch (error) {
    if (!isPaymentError(error)) throw error
    if (error.code === 'NO_REPLY' && error.otherOrderId !== undefined) {
      refusals.answered(endpoint)
      return { kind: 'other', orderId: error.otherOrderId }
    }
    const isAbsent = error.code === 'REJECTED' && isNoSuchOrder(error)
    if (isAbsent) refusals.answered(endpoint)
    else refusals.failed(endpoint, error)
    return { kind: isAbsent ? 'absent' : 'silent', seen: error.message }
  }
}
