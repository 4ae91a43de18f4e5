import type { IntentEndpoint } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import { isPaymentError, type PaymentError, type RequestInput } from '@tallystick/core'
import type { JournalParts, Refusals } from '../context.ts'
import type { JournalListener } from '../events.ts'
import { endpointName, endpointOf } from '../intents/endpoint.ts'
import { asOfNow, isAbsentLongEnough, withAbsence } from '../status/absence.ts'
import type { StatusResult } from '../status/status-result.ts'

type Parts<Transaction> = Pick<JournalParts<Transaction>, 'client' | 'isNoSuchOrder' | 'refusals'>

/**
 * Asks the status of an intent: by our id alone at first, so that the answer has to name the gateway's id. Once that is known, by
 * both, since a gateway that allows repeats may have another order under our id.
 */
export async function ask<Transaction>(intent: Intent, parts: Parts<Transaction>): Promise<StatusResult> {
  const { kind, clientOrderId, orderId, serialNumber } = intent
  const names = { clientOrderId, orderId }
  return await askStatus(kind === 'modification' ? { ...names, byRequestSn: serialNumber } : names, intent, parts)
}

/** Asks the signed status once, at the endpoint that has the order. */
export async function askStatus<Transaction>(
  names: RequestInput<'status'>,
  endpoint: IntentEndpoint,
  { client, isNoSuchOrder, refusals }: Parts<Transaction>,
): Promise<StatusResult> {
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

/** When each endpoint last knew an order: an absence proves nothing at an endpoint that knows none at all. */
interface Answers {
  /** When the endpoint of an intent last answered for an order that exists. */
  lastOf(intent: Intent): Promise<number | undefined>
  /** Notes that it has just answered for one. */
  note(intent: Intent): Promise<void>
  /** Before a status check that may find the order absent for good: asks the same endpoint for an order that exists. */
  seekProof(intent: Intent): Promise<void>
}

/** How often such an answer is noted at most. */
const NOTE_EVERY_MS = 30_000

export function answers<Transaction>(parts: JournalParts<Transaction>): Answers {
  const { store, clock, emit } = parts
  const notedAt = new Map<string, number>()

  /** A failure is only reported: what was seen of the order counts all the same, and without the note nothing becomes absent. */
  async function write(endpoint: IntentEndpoint, at: number): Promise<void> {
    try {
      await store.noteAnswer(endpoint, at)
    } catch (error) {
      emit({ type: 'RECONCILE_FAILED', error })
    }
  }

  return {
    lastOf: (intent) => store.lastAnswerAt(endpointOf(intent)),
    note: async (intent) => {
      const now = clock.now()
      const endpoint = endpointOf(intent)
      const name = endpointName(endpoint)
      const passed = now - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY)
      // A negative time means that the clock was set back.
      if (passed >= 0 && passed < NOTE_EVERY_MS) return
      notedAt.set(name, now)
      await write(endpoint, now)
    },
    seekProof: async (asked) => {
      const now = clock.now()
      const intent = asOfNow(asked, now)
      const isOpening = intent.kind === 'opening' && intent.state === 'UNKNOWN'
      if (!isOpening || !isAbsentLongEnough({ ...intent, ...withAbsence(intent, now) }, now)) return
      const known = await store.knownOrder(endpointOf(intent))
      if (known === undefined) return
      const other = await ask({ ...known, kind: 'opening' }, parts)
      if (other.kind === 'found') await write(endpointOf(intent), clock.now())
    },
  }
}

/** With wrong credentials or a wrong address every intent stays open, and nothing else says why. */
export function refusals(emit: JournalListener): Refusals {
  const refused = new Set<string>()
  return {
    answered: (endpoint) => {
      if (refused.size > 0) refused.delete(endpointName(endpoint))
    },
    failed: (endpoint, error) => {
      const name = endpointName(endpoint)
      const remedy = remedyFor(error, endpoint)
      if (remedy === undefined || refused.has(name)) return
      refused.add(name)
      const { endpointId, endpointGroupId } = endpoint
      emit({ type: 'STATUS_REFUSED', endpointId, endpointGroupId, error, remedy })
    },
  }
}

/** `undefined`: it did not refuse. */
function remedyFor(error: PaymentError, endpoint: IntentEndpoint): string | undefined {
  const where = whereOf(endpoint)
  switch (error.code) {
    case 'AUTH_REJECTED':
      if (!error.isReply) return `The status at ${where} is refused. ${error.message} ${UNTIL_THEN}`
      return (
        `Wrong key, login or endpoint: the gateway refuses the status at ${where}. Compare the client's login, control key and ` +
        `${where} with those that the gateway gave you; client.checkCredentials() says when they are right. ${UNTIL_THEN}`
      )
    case 'REJECTED':
      return (
        `The gateway refuses the status at ${where}. ${error.message} Compare the client's baseUrl with the address that the ` +
        `gateway gave you. If these are its words for an order that it does not have, give the journal isNoSuchOrder. ${UNTIL_THEN}`
      )
    default:
      return undefined
  }
}

const UNTIL_THEN = 'Until then no payment there can end. None is lost: the journal keeps asking for the status of each'

function whereOf({ endpointId, endpointGroupId }: IntentEndpoint): string {
  return endpointGroupId === undefined ? `endpoint ${endpointId ?? 'of the client'}` : `group ${endpointGroupId}`
}
