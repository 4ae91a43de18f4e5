/** The largest int64, which is what an endpoint id is (interface part 2). */
const MAX_INT64 = 9_223_372_036_854_775_807n

/** An endpoint, or a group of endpoints that routes by currency. Ids are text or bigint, never floats. */
export type Endpoint =
  | {
      /** Where requests go: the id of a group of endpoints, which routes by currency. */
      readonly endpointGroupId: string | bigint
      readonly endpointId?: undefined
    }
  | {
      /** Where requests go: the id of an endpoint, text or bigint, never a number. */
      readonly endpointId: string | bigint
      readonly endpointGroupId?: undefined
    }

/** The id in the path, and in the control if the formula has it. */
export interface EndpointAddress {
  readonly id: string
  readonly isGroup: boolean
}

/** @throws TypeError if the id is not a whole number from 1 to the largest int64 */
export function endpointAddress(endpoint: Endpoint): EndpointAddress {
  const isGroup = endpoint.endpointGroupId !== undefined
  const id = isGroup ? endpoint.endpointGroupId : endpoint.endpointId
  if (typeof id === 'number' || !isEndpointId(String(id))) {
    const name = isGroup ? 'endpointGroupId' : 'endpointId'
    throw new TypeError(
      `${name} must be a whole number from 1 to ${MAX_INT64}, as text or bigint (a float loses digits)`,
    )
  }
  return { id: String(id), isGroup }
}

export function isEndpointId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX_INT64
}
