import type { CallOptions } from '@tallystick/client'
import type { IntentEndpoint } from '@tallystick/client/internal'
import type { Endpoint } from '@tallystick/core'
import { endpointAddress, type Validator } from '@tallystick/core/internal'

/** Where a payment goes, when not to the client's own endpoint. */
export interface PaymentEndpoint {
  readonly endpointId?: string | bigint | undefined
  readonly endpointGroupId?: string | bigint | undefined
}

/** An endpoint as an intent stores it. */
export function writtenEndpoint(endpoint: Endpoint): IntentEndpoint {
  const { id, isGroup } = endpointAddress(endpoint)
  return isGroup ? { endpointGroupId: id } : { endpointId: id }
}

/** Whether any endpoint is named. */
export function isNamed({ endpointId, endpointGroupId }: IntentEndpoint): boolean {
  return endpointId !== undefined || endpointGroupId !== undefined
}

/** Only the endpoint of an intent, for a call and for the store. */
export function endpointOf({
  endpointId,
  endpointGroupId,
}: IntentEndpoint): Pick<CallOptions, 'endpointId' | 'endpointGroupId'> & IntentEndpoint {
  if (endpointGroupId !== undefined) return { endpointGroupId }
  return endpointId === undefined ? {} : { endpointId }
}

/** One text for each endpoint, as a key. Endpoints and groups are numbered independently. */
export function endpointName(endpoint: IntentEndpoint): string {
  return JSON.stringify(endpointOf(endpoint))
}

/** The kind of a text that is not blank. */
export function filledText(such: string): Validator {
  return { wanted: `a text, such as ${such}`, isRight: (value) => typeof value === 'string' && value.trim() !== '' }
}
