import { catalogue, checkOptions, type Kinds, kind, type Route } from '@tallystick/core'
import type { AddressRules } from '../http/allowed-address.ts'
import { type Endpoint, type EndpointOptions, readEndpoint } from './endpoint.ts'
import { type EndpointGroupOptions, readGroup } from './endpoint-group.ts'
import { type Merchant, type MerchantKeyOptions, readMerchantKeys } from './merchant.ts'

/** A merchant as the operator configures it. */
export interface MerchantOptions extends MerchantKeyOptions {
  /** The endpoints that this merchant sends requests to. At least one. */
  readonly endpoints: readonly EndpointOptions[]
  /** Groups of those endpoints, each with an id of its own (gaps part 1). */
  readonly groups?: readonly EndpointGroupOptions[] | undefined
}

/** What the id in a path stands for: an endpoint, or a group that routes by currency. */
export interface Target {
  readonly merchant: Merchant
  /** Of the group; absent for an endpoint. */
  readonly groupId?: string | undefined
  /** The first that accepts the currency gets the request. Never empty. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
}

/** Where a stored order or recurring payment was requested. */
interface KeptAt {
  readonly login: string
  readonly endpointId: string
}

/** All merchants of the gateway. */
export interface Merchants {
  /** The target of a route. `undefined`: no endpoint or group has this address. */
  find(route: Route): Target | undefined
  /** Whether an id is that of an endpoint or of a group, however it is addressed. */
  kindOf(id: string): 'endpoint' | 'group' | undefined
  byLogin(login: string): Merchant | undefined
  /** The endpoint of a stored order or payment, if its merchant still has it. Another merchant's with this id does not count. */
  endpointOf(kept: KeptAt): Endpoint | undefined
  /** Stands in for the merchant of an endpoint that does not exist. */
  readonly decoy: Merchant
}

/**
 * Checks the merchants at start.
 *
 * @param rules where their callbacks may go
 * @param isSandbox whether a key may be weak, or shared
 * @throws TypeError that names the setting
 */
export function readMerchants(options: readonly MerchantOptions[], rules: AddressRules, isSandbox: boolean): Merchants {
  const read = options.map((each, index) => readMerchant(each, `merchants[${index}]`, rules, isSandbox))
  const [first] = read
  if (first === undefined) throw new TypeError('merchants is empty; configure at least one')
  const logins = read.map(({ merchant }) => [merchant.login, merchant] as const)
  const byLogin = uniquely(logins, 'have the same login', 'so they would share orders; put their endpoints together')
  const endpoints = new Map(
    read.map(({ merchant, endpoints }) => [merchant.login, new Map(endpoints.map((each) => [each.id, each]))]),
  )
  const all = read.flatMap((each) => each.targets)
  const targets = uniquely(all, 'endpoints or groups have the same id', 'make each id unique')
  if (!isSandbox) requireOwnKeys(read.map(({ merchant }) => merchant))
  // A merchant with an RSA key, if there is one, so that an unknown endpoint costs the same work for every operation.
  const { merchant: decoy } = read.find(({ merchant }) => merchant.rsaKey !== undefined) ?? first
  return {
    find: ({ key, endpoint: { id, isGroup } }) => {
      const target = targets.get(id)
      // A group may be addressed by its bare id too, but not for operations without groups. An endpoint is never a group.
      const fits = target?.isGroup === true ? catalogue[key].groupAddress !== 'none' : !isGroup
      return fits ? target : undefined
    },
    kindOf: (id) => {
      const target = targets.get(id)
      return target && (target.isGroup ? 'group' : 'endpoint')
    },
    byLogin: (login) => byLogin.get(login),
    endpointOf: ({ login, endpointId }) => endpoints.get(login)?.get(endpointId),
    decoy,
  }
}

interface ReadTarget extends Target {
  readonly isGroup: boolean
}

interface ReadMerchant {
  readonly merchant: Merchant
  readonly endpoints: readonly Endpoint[]
  readonly targets: ReadonlyArray<readonly [id: string, target: ReadTarget]>
}

/** Kinds alone. What is in the options is checked where it is read. */
const KINDS: Kinds<MerchantOptions> = {
  login: kind.anything,
  controlKey: kind.anything,
  publicKey: kind.anything,
  endpoints: kind.list,
  groups: kind.list,
}

function readMerchant(options: MerchantOptions, name: string, rules: AddressRules, isSandbox: boolean): ReadMerchant {
  checkOptions(name, options, KINDS)
  const merchant = readMerchantKeys(options, name, isSandbox)
  if (!options.endpoints?.length) throw new TypeError(`${name}.endpoints is empty; give the merchant an endpoint`)
  const endpoints = options.endpoints.map((each, index) => readEndpoint(each, `${name}.endpoints[${index}]`, rules))
  const groups = (options.groups ?? []).map((each, index) => readGroup(each, endpoints, `${name}.groups[${index}]`))
  return {
    merchant,
    endpoints,
    targets: [
      ...endpoints.map((endpoint) => [endpoint.id, { merchant, endpoints: [endpoint], isGroup: false }] as const),
      ...groups.map(
        (group) => [group.id, { merchant, groupId: group.id, endpoints: group.endpoints, isGroup: true }] as const,
      ),
    ],
  }
}

/** Whoever knows the key of one merchant could act for the other. */
function requireOwnKeys(merchants: readonly Merchant[]): void {
  const [one, other] = sharersOf(merchants)
  if (one === undefined) return
  throw new TypeError(`merchants: ${one} and ${other} have the same controlKey; give each its own`)
}

/** The logins of the first two merchants with one control key. */
export function sharersOf(merchants: readonly Pick<Merchant, 'login' | 'controlKey'>[]): readonly string[] {
  const owners = new Map<string, string>()
  for (const { login, controlKey } of merchants) {
    const key = controlKey.reveal()
    const owner = owners.get(key)
    if (owner !== undefined) return [owner, login]
    owners.set(key, login)
  }
  return []
}

/** @param remedy what to do about two with the same name; ends the error message */
function uniquely<Named>(
  named: ReadonlyArray<readonly [name: string, named: Named]>,
  same: string,
  remedy: string,
): ReadonlyMap<string, Named> {
  const map = new Map<string, Named>()
  for (const [name, each] of named) {
    if (map.has(name)) throw new TypeError(`merchants: two ${same}, ${name}: ${remedy}`)
    map.set(name, each)
  }
  return map
}
