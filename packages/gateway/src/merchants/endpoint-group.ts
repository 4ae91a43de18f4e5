import { checkOptions, type Kinds, kind } from '@tallystick/core'
import { type Endpoint, readId } from './endpoint.ts'
import { readSetting } from './read-setting.ts'

/** A group of endpoints under one id, which routes by currency (gaps part 1). */
export interface EndpointGroupOptions {
  /** The id in the path, instead of an endpoint's. No two endpoints or groups may share one. */
  readonly id: string | number | bigint
  /** Ids of the merchant's endpoints. A request goes to the first one that accepts its currency. */
  readonly endpoints: readonly (string | number | bigint)[]
}

export interface EndpointGroup {
  readonly id: string
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
}

const KINDS: Kinds<EndpointGroupOptions> = { id: kind.anything, endpoints: kind.list }

/** @throws TypeError that names the setting */
export function readGroup(options: EndpointGroupOptions, ofMerchant: readonly Endpoint[], name: string): EndpointGroup {
  checkOptions(name, options, KINDS)
  const { id, endpoints } = options
  const [first, ...others] = (endpoints ?? []).map((each, index) =>
    readSetting(`${name}.endpoints[${index}]`, () => endpointOf(readId(each), ofMerchant)),
  )
  if (first === undefined) throw new TypeError(`${name}.endpoints is empty; name the endpoints of the group`)
  return { id: readSetting(`${name}.id`, () => readId(id)), endpoints: [first, ...others] }
}

function endpointOf(id: string, ofMerchant: readonly Endpoint[]): Endpoint {
  const endpoint = ofMerchant.find((known) => known.id === id)
  if (endpoint === undefined) throw new TypeError(`the merchant has no endpoint ${id}`)
  return endpoint
}
