import { type EndpointAddress, endpointAddress } from '@tallystick/core'

/** Options that may name an endpoint or a group. */
interface Named {
  readonly endpointId?: string | bigint | undefined
  readonly endpointGroupId?: string | bigint | undefined
}

/**
 * The endpoint or the group that options name; `undefined` when they name none.
 *
 * @throws TypeError when they name both, or an id is no int64
 */
export function endpointOf({ endpointId, endpointGroupId }: Named): EndpointAddress | undefined {
  if (endpointGroupId === undefined) return endpointId === undefined ? undefined : endpointAddress({ endpointId })
  if (endpointId === undefined) return endpointAddress({ endpointGroupId })
  throw new TypeError('endpointId and endpointGroupId exclude each other: give one of them')
}
