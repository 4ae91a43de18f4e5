import { catalogue, type OperationKey, operationKeys } from '../operations/catalogue.ts'
import type { Operation } from '../operations/operation.ts'
import type { Profile } from '../profile/profile.ts'

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

/**
 * The address of an operation: base URL, path and endpoint (specification part 4).
 *
 * @throws TypeError if the operation cannot be sent to a group
 */
export function operationUrl(key: OperationKey, endpoint: EndpointAddress, profile: Profile): string {
  return `${profile.baseUrl}${pathOf(key, profile)}/${endpointSegment(catalogue[key], endpoint)}`
}

/** If brands differ, the profile decides. */
function pathOf(key: OperationKey, { rebillPath, payoutFormPath }: Profile): string {
  if (key === 'makeRebill') return rebillPath
  return key === 'payoutForm' ? payoutFormPath : catalogue[key].path
}

function endpointSegment({ name, groupAddress }: Operation, { id, isGroup }: EndpointAddress): string {
  if (isGroup && groupAddress === 'none') {
    throw new TypeError(`${name} cannot be sent to an endpoint group; give an endpointId for this call`)
  }
  return isGroup && groupAddress === 'segment' ? `group/${id}` : id
}

/** What a path requests. */
export interface Route {
  readonly key: OperationKey
  readonly endpoint: EndpointAddress
}

const KEYS_BY_PATH: ReadonlyMap<string, OperationKey> = new Map(
  operationKeys.flatMap((key) => {
    const { path, otherPaths }: Operation = catalogue[key]
    return [path, ...otherPaths].map((name) => [name, key] as const)
  }),
)

const GROUP = '/group'

/**
 * Finds the operation of a path below the base URL: `/api/v2/sale/253`, `/api/v2/sale/group/77`.
 * `undefined` if there is none, or the last segment is no endpoint id.
 */
export function matchPath(path: string): Route | undefined {
  const border = path.lastIndexOf('/')
  const above = path.slice(0, border)
  const id = path.slice(border + 1)
  const isGroup = above.endsWith(GROUP)
  const key = KEYS_BY_PATH.get(isGroup ? above.slice(0, -GROUP.length) : above)
  if (key === undefined || !isEndpointId(id)) return undefined
  if (isGroup && catalogue[key].groupAddress !== 'segment') return undefined
  return { key, endpoint: { id, isGroup } }
}
