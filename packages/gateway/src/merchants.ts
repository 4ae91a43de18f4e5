import { catalogue, type EndpointAddress, endpointAddress, operationKeys, Secret } from '@tallystick/core'
import { type HmacKey, hmacKey, type RsaPublicKey, rsaPublicKey } from '@tallystick/signing'
import { readSetting } from './read-setting.ts'

/** A merchant as the operator configures it. */
export interface MerchantOptions {
  readonly login: string
  /** The merchant control key: verifies controls and HMAC-SHA1 signatures, and signs callbacks. */
  readonly controlKey: string | Secret
  /** RSA public key in PEM, at least 2048 bits: verifies the v4 operations. */
  readonly publicKey?: string
  readonly endpoints: readonly EndpointOptions[]
}

export interface EndpointOptions {
  readonly id: string | bigint
  /** ISO 4217 letters. Every currency when absent. */
  readonly currencies?: readonly string[]
  /**
   * Fields that the acquirer behind this endpoint insists on although the interface does not, by their names in the
   * models: `['firstName', 'lastName']` (gaps part 2.4).
   */
  readonly requiredFields?: readonly string[]
}

/** A merchant with its keys imported. */
export interface Merchant {
  readonly login: string
  readonly controlKey: Secret
  readonly hmacKey: HmacKey
  readonly rsaKey: RsaPublicKey | undefined
}

/** An endpoint and whose it is. */
export interface MerchantEndpoint {
  readonly id: string
  readonly merchant: Merchant
  readonly currencies: ReadonlySet<string> | undefined
  readonly requiredFields: readonly string[]
}

/** All merchants of the gateway. */
export interface Merchants {
  /** What the id in a path stands for. Groups of endpoints are not configured yet, so there is none. */
  find(address: EndpointAddress): MerchantEndpoint | undefined
  /** Stands in for the merchant of an endpoint that does not exist. */
  readonly decoy: Merchant
}

/**
 * Checks the merchants at start.
 *
 * @throws TypeError that names the setting
 */
export function readMerchants(options: readonly MerchantOptions[]): Merchants {
  const endpoints = options.flatMap((merchant, index) => readMerchant(merchant, `merchants[${index}]`))
  const [first] = endpoints
  if (first === undefined) throw new TypeError('merchants is empty; configure at least one')
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  if (byId.size < endpoints.length) {
    throw new TypeError('merchants: two endpoints have the same id; make each id unique')
  }
  if (new Set(endpoints.map(({ merchant }) => merchant.login)).size < options.length) {
    throw new TypeError('merchants: two have the same login, so they would share orders; put their endpoints together')
  }
  // One with an RSA key where there is one, so that an unknown endpoint costs the same work at every operation.
  const { merchant: decoy } = endpoints.find(({ merchant }) => merchant.rsaKey !== undefined) ?? first
  return { find: ({ id, isGroup }) => (isGroup ? undefined : byId.get(id)), decoy }
}

function readMerchant(options: MerchantOptions, name: string): MerchantEndpoint[] {
  const login = options.login?.trim()
  if (!login) throw new TypeError(`${name}.login is empty; give the merchant a login`)
  if (!options.endpoints?.length) throw new TypeError(`${name}.endpoints is empty; give the merchant an endpoint`)
  const secrets = readSetting(`${name}.controlKey`, () => importControlKey(options))
  const rsaKey = readSetting(`${name}.publicKey`, () => importPublicKey(options))
  const merchant = { login, ...secrets, rsaKey }
  return options.endpoints.map((endpoint, index) => readEndpoint(endpoint, merchant, `${name}.endpoints[${index}]`))
}

function importControlKey({ controlKey: given }: MerchantOptions) {
  const controlKey = given instanceof Secret ? given : new Secret(given)
  return { controlKey, hmacKey: hmacKey(controlKey.reveal()) }
}

function importPublicKey({ publicKey }: MerchantOptions): RsaPublicKey | undefined {
  return publicKey === undefined ? undefined : rsaPublicKey(publicKey)
}

/** Every name that a field has in some request. */
const FIELD_NAMES: ReadonlySet<string> = new Set(
  operationKeys.flatMap((key) => Object.keys(catalogue[key].request.fields)),
)

function readEndpoint(
  { id, currencies, requiredFields = [] }: EndpointOptions,
  merchant: Merchant,
  name: string,
): MerchantEndpoint {
  const unknown = requiredFields.find((field) => !FIELD_NAMES.has(field))
  if (unknown !== undefined) {
    throw new TypeError(`${name}.requiredFields: no request has a field ${unknown}; use the names of the models`)
  }
  return {
    id: readSetting(`${name}.id`, () => endpointAddress({ endpointId: id }).id),
    merchant,
    currencies: currencies === undefined ? undefined : new Set(currencies),
    requiredFields,
  }
}
