import type { IntentEndpoint } from '@tallystick/client/ports'
import type { PaymentError } from '@tallystick/core'
import type { Refusals } from '../context.ts'
import type { JournalListener } from '../events.ts'
import { endpointName } from '../intents/endpoint.ts'

/** With wrong credentials or a wrong address every intent stays open, and nothing else says why. */
export function refusals(tell: JournalListener): Refusals {
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
      tell({ type: 'STATUS_REFUSED', endpointId, endpointGroupId, error, remedy })
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
        `The gateway refuses the status at ${where}: compare the client's login, control key and ${where} with those that ` +
        'the gateway gave you, and the clock of this machine with the right time; client.checkCredentials() says when ' +
        `they are right. ${UNTIL_THEN}`
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
