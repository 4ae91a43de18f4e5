import { catalogue, Secret } from '@tallystick/core'
import { checkOptions, hidesCharacters, type Route, type Validators, validator } from '@tallystick/core/internal'
import { type HmacKey, hmacKey, type RsaPublicKey, rsaPublicKey } from '@tallystick/signing'
import { keyBits } from '@tallystick/signing/internal'
import type { AddressRules } from '../http/allowed-address.ts'
import { type Endpoint, type EndpointOptions, readEndpoint } from './endpoint.ts'
import { readId, readSetting } from './endpoint-settings.ts'

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
  /** Of an endpoint: the id of the first group that it is in. */
  readonly inGroup?: string | undefined
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
const KINDS: Validators<MerchantOptions> = {
  login: validator.anything,
  controlKey: validator.anything,
  publicKey: validator.anything,
  endpoints: validator.list,
  groups: validator.list,
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
      ...endpoints.map((endpoint) => {
        const inGroup = groups.find((group) => group.endpoints.includes(endpoint))?.id
        return [endpoint.id, { merchant, endpoints: [endpoint], isGroup: false, inGroup }] as const
      }),
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

/** Who a merchant is and how they sign. */
export interface MerchantKeyOptions {
  /** The merchant's login, which is also the OAuth consumer key. At most 20 characters; no two merchants may share one. */
  readonly login: string
  /**
   * The control key, without white space at either end: verifies controls and HMAC-SHA1 signatures, and signs callbacks.
   * Outside a sandbox it needs 128 bits, as a random UUID has, and no two merchants may share one.
   */
  readonly controlKey: string | Secret
  /** The merchant's RSA public key in PEM, at least 2048 bits: verifies the v4 operations. */
  readonly publicKey?: string | undefined
}

/** A merchant with imported keys. */
export interface Merchant {
  readonly login: string
  readonly controlKey: Secret
  readonly hmacKey: HmacKey
  readonly rsaKey: RsaPublicKey | undefined
  /** The RSA key as it was configured, for the signature doctor. */
  readonly publicKey: string | undefined
}

/** @throws TypeError that names the setting */
function readMerchantKeys(options: MerchantKeyOptions, name: string, isSandbox: boolean): Merchant {
  const login = typeof options.login === 'string' ? options.login.trim() : ''
  if (login === '') throw new TypeError(`${name}.login is empty; give the merchant a login`)
  if (login.length > 20) throw new TypeError(`${name}.login is longer than 20 characters; no request could name it`)
  if (hidesCharacters(login)) throw new TypeError(`${name}.login has characters that do not show; take them out`)
  const keys = readSetting(`${name}.controlKey`, () => importControlKey(options, isSandbox))
  const rsaKey = readSetting(`${name}.publicKey`, () => importPublicKey(options))
  return { login, ...keys, rsaKey, publicKey: options.publicKey }
}

/**
 * What a control key needs: the form that brings a customer back shows each of them SHA-1 over texts that they know and the key,
 * so they may try keys at home, as fast as they like.
 */
export const LEAST_KEY_BITS = 128

const MAKE_ONE = '`tallystick-gateway key` makes one'

/** Clients accept no key with white space at either end, so no signature would ever match such a key. */
function importControlKey({ controlKey: given }: MerchantKeyOptions, isSandbox: boolean) {
  const controlKey = given instanceof Secret ? given : new Secret(given)
  const text = controlKey.reveal()
  if (text.trim() === '') throw new TypeError("is only white space; give the merchant's control key")
  if (text.trim() !== text)
    throw new TypeError('begins or ends with white space, such as the newline of a file; remove it')
  const imported = hmacKey(text)
  if (/^[.\u2026]+$/.test(text)) throw new TypeError(`is only a placeholder; ${MAKE_ONE}`)
  const bits = isSandbox ? Number.POSITIVE_INFINITY : Math.floor(keyBits(text))
  if (bits < LEAST_KEY_BITS)
    throw new TypeError(`can be guessed: it has about ${bits} bits, and ${LEAST_KEY_BITS} are needed; ${MAKE_ONE}`)
  return { controlKey, hmacKey: imported }
}

/** Importing a key is a fifth of a gateway's start, and tests start many with the same one. */
let latest: { readonly pem: string; readonly key: RsaPublicKey } | undefined

function importPublicKey({ publicKey }: MerchantKeyOptions): RsaPublicKey | undefined {
  if (publicKey === undefined) return undefined
  if (latest?.pem !== publicKey) latest = { pem: publicKey, key: rsaPublicKey(publicKey) }
  return latest.key
}

/** A group of endpoints under one id, which routes by currency (gaps part 1). */
export interface EndpointGroupOptions {
  /** The id in the path, instead of an endpoint's. No two endpoints or groups may share one. */
  readonly id: string | number | bigint
  /** Ids of the merchant's endpoints. A request goes to the first one that accepts its currency. */
  readonly endpoints: readonly (string | number | bigint)[]
}

interface EndpointGroup {
  readonly id: string
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
}

const GROUP_KINDS: Validators<EndpointGroupOptions> = { id: validator.anything, endpoints: validator.list }

/** @throws TypeError that names the setting */
function readGroup(options: EndpointGroupOptions, ofMerchant: readonly Endpoint[], name: string): EndpointGroup {
  checkOptions(name, options, GROUP_KINDS)
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
