import type { MerchantOptions } from '../../src/index.ts'
import { FORMULAS } from '../support/formulas.ts'
import { control, encode, type Fields, form, oauthSigned, post, rsaKeys } from '../support/signed-requests.ts'
import type { Times } from './paper-order.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface EndpointFacts extends Times {
  readonly id: string
  readonly login: string
  readonly currencies: readonly string[] | undefined
  readonly most: bigint | undefined
  readonly notifyUrl: string | undefined
}

const USUAL: Times = { settleAfter: DAY, holdFor: 7 * DAY, payoutCheckFor: 15 * MINUTE, formLifetime: 30 * MINUTE }
const QUICK: Times = { settleAfter: HOUR, holdFor: 2 * DAY, payoutCheckFor: 5 * MINUTE, formLifetime: 30 * MINUTE }

/** What the operator may change between two starts. */
export interface Configuration {
  readonly controlKeys: Readonly<Record<string, string>>
  readonly notifyUrl: string | undefined
  readonly takesDollars: boolean
  /** Whether the endpoint `1112` is configured at all. */
  readonly servesBoth: boolean
}

const ENDPOINTS: readonly EndpointFacts[] = [
  { id: '1111', login: 'shop', currencies: ['EUR'], most: undefined, notifyUrl: undefined, ...USUAL },
  { id: '1112', login: 'shop', currencies: ['EUR', 'USD'], most: 5000n, notifyUrl: undefined, ...QUICK },
  { id: '2222', login: 'rival', currencies: undefined, most: undefined, notifyUrl: undefined, ...USUAL },
]

export function endpointsBy({ notifyUrl, takesDollars, servesBoth }: Configuration): readonly EndpointFacts[] {
  return ENDPOINTS.filter(({ id }) => servesBoth || id !== '1112').map((endpoint) =>
    endpoint.id === '1112' ? { ...endpoint, notifyUrl, currencies: takesDollars ? ['EUR', 'USD'] : ['EUR'] } : endpoint,
  )
}

/** The first endpoint of the target that accepts the currency (gaps part 1). `1100` is a group of the shop's. */
export function routed(target: string, currency: string | undefined, now: Configuration): EndpointFacts | undefined {
  const ids = target.endsWith('1100') ? ['1111', '1112'] : [target]
  return endpointsBy(now)
    .filter(({ id }) => ids.includes(id))
    .find(({ currencies }) => currency === undefined || currencies === undefined || currencies.includes(currency))
}

export const loginOf = (target: string) => (target === '2222' ? 'rival' : 'shop')

const keys = { shop: rsaKeys(), rival: rsaKeys() }

/** The merchants as options of `createGateway`. */
export function merchantsWith(now: Configuration): MerchantOptions[] {
  const endpointsOf = (owner: string) =>
    endpointsBy(now)
      .filter(({ login }) => login === owner)
      .map(({ id, currencies, most, notifyUrl, ...times }) => ({
        id,
        currencies,
        notifyUrl,
        limits: most === undefined ? undefined : { max: '50.00' },
        settleAfter: times.settleAfter,
        holdFor: times.holdFor,
        payoutCheckFor: times.payoutCheckFor,
        formLifetime: times.formLifetime,
      }))
  const merchant = (login: 'shop' | 'rival') => ({
    login,
    controlKey: now.controlKeys[login] ?? '',
    publicKey: keys[login].publicKey,
    endpoints: endpointsOf(login),
  })
  return [
    { ...merchant('shop'), groups: [{ id: '1100', endpoints: now.servesBoth ? ['1111', '1112'] : ['1111'] }] },
    merchant('rival'),
  ]
}

const FORMULA_OF: Readonly<Record<string, string>> = {
  sale: FORMULAS.paid,
  preauth: FORMULAS.paid,
  'sale-form': FORMULAS.paid,
  'preauth-form': FORMULAS.paid,
  'payment-form': FORMULAS.paid,
  'account-verification': FORMULAS.verified,
  'account-verification-form': FORMULAS.verified,
  capture: FORMULAS.modified,
  return: FORMULAS.modified,
  void: FORMULAS.named,
  status: FORMULAS.named,
  'create-card-ref': FORMULAS.named,
  'get-card-info': FORMULAS.informed,
  'make-rebill': FORMULAS.rebilled,
  'make-rebill-sale': FORMULAS.rebilled,
  'make-rebill-preauth': FORMULAS.rebilled,
  'upload-cres-result': FORMULAS.uploaded,
  'upload-pares-result': FORMULAS.uploaded,
  'upload-method-url-result': FORMULAS.uploaded,
}

const HMAC = ['payout', 'payout-form', 'pan-eligibility/send']

let nonces = 0

/** Signs a request by parts 4 and 5 of the interface. */
export function signed(
  path: string,
  target: string,
  fields: Fields,
  { controlKey, now }: { controlKey: string; now: number },
) {
  const login = loginOf(target)
  const name = path.replace(/^v4\//, '')
  const isV4 = path !== name
  const formula = isV4 ? undefined : FORMULA_OF[name]
  if (formula !== undefined) {
    const all: Fields = formula.includes('login') ? { login, ...fields } : fields
    const signer = { login, controlKey, endpointId: target.replace('group/', '') }
    const base = name.startsWith('upload-') ? '/api/3ds/v1' : '/api/v2'
    return post(`${base}/${name}/${target}`, form({ ...all, control: control(formula, all, signer) }))
  }
  const how = HMAC.includes(name)
    ? { method: 'HMAC-SHA1', key: controlKey }
    : { method: 'RSA-SHA256', key: keys[login].privateKey }
  const address = `/api/${HMAC.includes(name) ? 'v2' : 'v4'}/${name}/${target}`
  return oauthSigned(address, fields, {
    ...how,
    login,
    nonce: encode(`n-${++nonces}`),
    timestamp: Math.floor(now / 1000),
  })
}
