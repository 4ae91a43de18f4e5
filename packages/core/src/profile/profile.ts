import { once } from '../models/format.ts'
import type { Exponents } from '../money/minor-units.ts'
import { catalogue } from '../operations/catalogue.ts'
import type { OAuthAuth, OAuthMethod, Operation } from '../operations/operation.ts'
import { checkOptions, rejectUnknownKeys } from '../options/check-options.ts'
import { type Validators, validator } from '../options/kind.ts'
import { ServerErrorResponse, ValidationErrorResponse } from '../replies/async.ts'

/**
 * One brand of gateway: what differs between the members of the interface family. A plain object. Defaults are the
 * specification's, or the family's usual ones if it states none.
 */
export interface Profile {
  /** A display name. Default `specification`. */
  readonly name: string
  /** Scheme, host and path prefix, without a slash at the end: `https://gate.example.com/paynet`. */
  readonly baseUrl: string
  /** The path of payout-form. Default `/api/v2/payout-form`, the specification's. */
  readonly payoutFormPath: '/api/v2/payout-form' | '/api/v4/payout-form'
  /** How payout-form is signed. Default `HMAC-SHA1`, or `RSA-SHA256` under `/api/v4`. */
  readonly payoutFormMethod: OAuthMethod
  /** Whether the body repeats the header's `oauth_*` parameters, except the signature. Default `true`. */
  readonly oauthInBody: boolean
  /** The path of make-rebill. Default `/api/v2/make-rebill`, the specification's. */
  readonly rebillPath: '/api/v2/make-rebill' | '/api/v2/make-rebill-sale' | '/api/v2/make-rebill-preauth'
  /** Other wire names, by model and field: `{ StatusResponse: { creqFormCreq: 'creq' } }`. Default none. */
  readonly wireNames: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Decimals of amounts: two for every currency, or by `iso-4217`. Default `always-2`: the specification says cents. */
  readonly exponents: Exponents
  /** How long to wait for the 3DS method frame, in seconds. Default 10. */
  readonly threeDsMethodWaitSeconds: number
  /** Which of the two reply formats to ask for. Both are always accepted. Default `json`. */
  readonly replyFormat: 'json' | 'classic'
  /**
   * Whether the gateway has our two extensions of recurring payments: to read one (`getRecurringPayment`), and to stop one or let
   * it go on (`recurringPaymentState` of an update). No other gateway is known to: it would ignore the field, and go on charging.
   * Default `false`: both are refused, by the client before anything is sent.
   */
  readonly recurringExtensions: boolean
  /**
   * Whether the charge of a recurring payment on request (`processRecurringPayment`) repeats the login and the endpoint among its
   * fields: older pages of the family require both, the newest list neither (conflict N1). Default `false`: the signature and the
   * address name them already.
   */
  readonly recurringLogin: boolean
}

/**
 * Describes a brand. Options left out follow the specification.
 *
 * @throws TypeError if `baseUrl` is not an absolute http or https address, or has a query or fragment; or if another option is
 *   wrong
 */
export function defineProfile({ baseUrl, ...brand }: Partial<Profile> & Pick<Profile, 'baseUrl'>): Profile {
  if (!/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i.test(baseUrl)) {
    throw new TypeError(
      'baseUrl must be an http or https address with the path prefix of the gateway, without user, query or fragment, such as "https://gate.example.com/paynet"',
    )
  }
  checkBrand('profile', brand)
  return {
    name: 'specification',
    payoutFormPath: catalogue.payoutForm.path,
    payoutFormMethod: brand.payoutFormPath === '/api/v4/payout-form' ? 'RSA-SHA256' : 'HMAC-SHA1',
    oauthInBody: true,
    rebillPath: catalogue.makeRebill.path,
    wireNames: {},
    exponents: 'always-2',
    threeDsMethodWaitSeconds: 10,
    replyFormat: 'json',
    recurringExtensions: false,
    recurringLogin: false,
    ...given(brand),
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
  }
}

/** An option that is `undefined` counts as not given: it must not replace a default. */
function given(brand: Partial<Profile>): Partial<Profile> {
  return Object.fromEntries(Object.entries(brand).filter(([, value]) => value !== undefined))
}

/** The signature method of an operation at this brand. */
export function oauthMethodOf(auth: OAuthAuth, profile: Profile): OAuthMethod {
  return auth.method === 'by-profile' ? profile.payoutFormMethod : auth.method
}

/** How a brand of gateway differs, whatever its address. */
type Brand = Partial<Omit<Profile, 'baseUrl'>>

const KINDS: Validators<Brand> = {
  name: validator.text,
  payoutFormPath: pathOf(catalogue.payoutForm),
  payoutFormMethod: validator.oneOf('HMAC-SHA1', 'RSA-SHA256'),
  oauthInBody: validator.flag,
  rebillPath: pathOf(catalogue.makeRebill),
  wireNames: validator.object,
  exponents: validator.oneOf('always-2', 'iso-4217'),
  threeDsMethodWaitSeconds: {
    wanted: 'a number of seconds, 24 days at most',
    // The timer of a browser that cannot wait so long does not wait at all.
    isRight: (value) => typeof value === 'number' && value >= 0 && value <= 24 * 86_400,
  },
  replyFormat: validator.oneOf('json', 'classic'),
  recurringExtensions: validator.flag,
  recurringLogin: validator.flag,
}

function pathOf({ path, otherPaths }: Operation) {
  return validator.oneOf(path, ...otherPaths)
}

const WIRE_NAME = {
  wanted: 'the name on the wire',
  isRight: (value: unknown) => typeof value === 'string' && value !== '',
}

/** Every model that a profile can respell, as the kinds of its fields. */
const KINDS_OF_FIELDS = once(() => {
  const models = Object.values<Operation>(catalogue).flatMap(({ request, reply }) => [request, reply])
  return new Map(
    [...models, ValidationErrorResponse, ServerErrorResponse].map(({ name, fields }) => [
      name,
      Object.fromEntries(Object.keys(fields).map((field) => [field, WIRE_NAME])),
    ]),
  )
})

/**
 * Finds slips in a brand, also in the names of `wireNames`, which no compiler checks.
 *
 * @param where the brand is given: `createGateway: profile`
 * @throws TypeError that names the option, and the one that may have been meant
 */
export function checkBrand(where: string, brand: unknown): void {
  checkOptions(where, brand, KINDS)
  const { wireNames } = brand as Brand
  if (wireNames === undefined) return
  rejectUnknownKeys(`${where}: wireNames`, wireNames, [...KINDS_OF_FIELDS().keys()])
  for (const [model, names] of Object.entries(wireNames)) {
    checkOptions(`${where}: wireNames: ${model}`, names, KINDS_OF_FIELDS().get(model) ?? {})
  }
}
