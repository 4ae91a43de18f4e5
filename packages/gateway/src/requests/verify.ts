import {
  catalogue,
  controlTerms,
  decodeRequest,
  type OAuthMethod,
  type Operation,
  type Pair,
  type Profile,
} from '@tallystick/core'
import type { ControlAuth, FieldIssue, OAuthAuth } from '@tallystick/core/internal'
import { parseAuthorizationHeader, type RsaPublicKey, verifyControl, verifyOAuth } from '@tallystick/signing'
import type { OAuthNonce } from '@tallystick/signing/internal'
import { controlOf, type ReadRequest } from '../http/request.ts'
import type { Merchant, Target } from '../merchants/merchants.ts'
import { majorUnits } from '../orders/amounts.ts'
import { openingOperation } from '../orders/operations.ts'
import type { RealTime } from '../runtime/system.ts'
import type { Store } from '../store/store.ts'

type Verification =
  | {
      readonly ok: true
      readonly target: Target
      readonly by: OAuthMethod | 'control'
      /** Of an OAuth request only. */
      readonly nonce?: OAuthNonce
      /** The control that was verified, in lower case. */
      readonly signedAs?: string
    }
  /** A signed field breaks its own grammar: reported before the signature is checked. */
  | { readonly ok: false; readonly issues: readonly FieldIssue[] }
  | { readonly ok: false; readonly issues?: never }

export interface VerificationInput {
  readonly request: ReadRequest
  readonly target: Target | undefined
  /** Used if the endpoint does not exist or its merchant has no such key, so that the time taken tells a stranger nothing. */
  readonly decoy: Merchant
  readonly profile: Profile
  /** Milliseconds since 1970. */
  readonly now: number
  /** Of a sandbox, once it has signed something: what it signs with in place of a merchant, whose private key it does not have. */
  readonly sandboxKey?: RsaPublicKey | undefined
}

const REFUSED: Verification = { ok: false }

/** Whether the merchant of the endpoint signed the request, by the scheme that the catalogue gives (interface part 5). */
export function verifyRequest(input: VerificationInput): Verification {
  const { auth }: Operation = catalogue[input.request.key]
  if (auth.scheme === 'control') return verifyByControl(auth, input)
  const verified = verifyByOAuth(auth, input)
  const { target, sandboxKey: rsaKey } = input
  if (verified.ok || rsaKey === undefined || target === undefined) return verified
  const bySandbox = verifyByOAuth(auth, { ...input, target: { ...target, merchant: { ...target.merchant, rsaKey } } })
  return bySandbox.ok ? { ...bySandbox, target } : verified
}

function verifyByControl(auth: ControlAuth, { request, target, decoy, profile }: VerificationInput): Verification {
  const { key, endpoint, pairs } = request
  const result = controlTerms({ auth, model: catalogue[key].request, endpointId: endpoint.id, pairs, profile })
  if (!result.ok) return { ok: false, issues: result.issues }
  const merchant = target?.merchant ?? decoy
  const control = controlOf(request)
  const verdict = verifyControl({ terms: result.terms, key: merchant.controlKey.reveal(), control })
  return verdict.ok && target !== undefined
    ? { ok: true, target, by: 'control', signedAs: control.toLowerCase() }
    : REFUSED
}

function verifyByOAuth(auth: OAuthAuth, input: VerificationInput): Verification {
  const { request, target, decoy, profile, now } = input
  const parsed = parseAuthorizationHeader(request.authorization ?? '')
  if (!parsed.ok) return REFUSED
  const method = methodOf(auth, request, parsed.header.signatureMethod)
  const own = target && verifier(method, target.merchant)
  const signer = own ?? verifier(method, decoy)
  if (signer === undefined) return REFUSED
  const verdict = verifyOAuth({
    ...signer,
    header: parsed.header,
    httpMethod: 'POST',
    url: profile.baseUrl + request.target,
    body: request.body,
    now: now / 1000,
  })
  if (!verdict.ok || own === undefined || verdict.consumerKey !== target?.merchant.login) return REFUSED
  const { consumerKey, timestamp, nonce } = verdict
  return { ok: true, target, by: method, nonce: { consumerKey, timestamp, nonce } }
}

/**
 * The method comes from the catalogue, never from the request. Only where brands differ (conflict C5) does the gateway
 * accept either, each with its own key; under v4 it accepts nothing but RSA (interface part 5.2).
 */
export function methodOf({ method }: OAuthAuth, { target }: ReadRequest, named: string): OAuthMethod {
  if (method !== 'by-profile') return method
  return target.startsWith('/api/v4/') || named.includes('RSA-SHA256') ? 'RSA-SHA256' : 'HMAC-SHA1'
}

function verifier(method: OAuthMethod, { hmacKey, rsaKey }: Merchant) {
  if (method === 'HMAC-SHA1') return { method, key: hmacKey } as const
  return rsaKey === undefined ? undefined : ({ method, key: rsaKey } as const)
}

/** As wide as those of most orders. */
const NO_ORDER = { amount: 1042n, currency: 'EUR' }

/**
 * Verifies the third form of a capture's control: the official PHP library signs the amount and the currency of the order
 * and sends neither (gaps part 7.1, conflict C4). Such a request captures all that is left, as any capture without an amount.
 * If there is no such endpoint, the order is looked for under the decoy's login, and if there is no such order, the control is
 * compared with that of another one. A store still takes longer for an order than for none, and longest for one that was not read
 * lately, so a refusal comes only when the next hundredth of a second is full: a stranger cannot learn by the time which orders exist.
 */
export async function verifyCaptureOfOrder(
  input: VerificationInput,
  store: Pick<Store, 'findOrder'>,
  time: Pick<RealTime, 'pause'>,
): Promise<Verification> {
  let isRead = false
  // Begun before the work: timers know whole milliseconds alone, so that one for the rest of the time would end by so much later.
  const ticks = async () => {
    do await time.pause(EVERY_MS)
    while (!isRead)
  }
  const full = ticks()
  const verified = await verifyByOrder(input, store).finally(() => {
    isRead = true
  })
  if (!verified.ok) await full
  return verified
}

/** Longer than a store takes to read an order. */
const EVERY_MS = 10

async function verifyByOrder(input: VerificationInput, store: Pick<Store, 'findOrder'>): Promise<Verification> {
  const { request, target, decoy, profile } = input
  const decoded = decodeRequest('capture', request.pairs, profile)
  if (!decoded.ok || decoded.value.amount !== undefined) return REFUSED
  const { clientOrderId, orderId } = decoded.value
  const { login } = target?.merchant ?? decoy
  const order = await store.findOrder({ login, clientOrderId, orderId })
  const { currency } = order?.terms ?? NO_ORDER
  const whole =
    majorUnits(order === undefined ? NO_ORDER.amount : openingOperation(order).amount, currency, profile) ?? ''
  // As short as it can be written: 10000000.00 is longer than an amount of a request may be.
  const amount = whole.includes('.') ? whole.replace(/\.?0{1,4}$/, '') : whole
  const others = request.pairs.filter(([name]) => name !== 'amount' && name !== 'currency')
  const pairs: readonly Pair[] = [...others, ['amount', amount], ['currency', currency]]
  const verified = verifyRequest({ ...input, request: { ...request, pairs } })
  // Of an order that moved no money they are no amount and no currency: nobody sent these.
  return verified.ok && order !== undefined ? verified : REFUSED
}
