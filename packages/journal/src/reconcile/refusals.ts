import type { IntentEndpoint } from '@tallystick/client'
import type { PaymentError } from '@tallystick/core'
import { endpointOf } from '../endpoint.ts'
import type { JournalListener } from '../events.ts'

/** Endpoints that refuse who asks. */
export interface Refusals {
  /** It told of an order, or that there is none: it knows the merchant. */
  answered(endpoint: IntentEndpoint): void
  /** It did not: said once for each endpoint, until it answers again, when the credentials are why. */
  failed(endpoint: IntentEndpoint, error: PaymentError): void
}

/** With credentials that are wrong every intent stays open, and nothing else tells why. */
export function refusals(tell: JournalListener): Refusals {
  const refused = new Set<string>()
  return {
    answered: (endpoint) => {
      if (refused.size > 0) refused.delete(nameOf(endpoint))
    },
    failed: (endpoint, error) => {
      const name = nameOf(endpoint)
      if (error.code !== 'AUTH_REJECTED' || refused.has(name)) return
      refused.add(name)
      const { endpointId, endpointGroupId } = endpoint
      tell({ type: 'STATUS_REFUSED', endpointId, endpointGroupId, error, remedy: remedyAt(endpoint) })
    },
  }
}

function nameOf(endpoint: IntentEndpoint): string {
  return JSON.stringify(endpointOf(endpoint))
}

function remedyAt({ endpointId, endpointGroupId }: IntentEndpoint): string {
  const where = endpointGroupId === undefined ? `endpoint ${endpointId ?? 'of the client'}` : `group ${endpointGroupId}`
  return (
    `The gateway refuses the status at ${where}: compare the client's login, control key and ${where} with those that the ` +
    'gateway gave you, and the clock of this machine with the right time; client.checkCredentials() tells when they are ' +
    'right. Until then no intent there can end. None is lost: they are asked again by their schedule'
  )
}
