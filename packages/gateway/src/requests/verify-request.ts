import {
  type ControlAuth,
  catalogue,
  controlTerms,
  type FieldIssue,
  type OAuthAuth,
  type OAuthMethod,
  type Operation,
  type Profile,
} from '@tallystick/core'
import { type BurnableNonce, parseAuthorizationHeader, verifyControl, verifyOAuth } from '@tallystick/signing'
import { controlOf, type ReadRequest } from '../http/read-request.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Target } from '../merchants/merchants.ts'

export type Verification =
  | {
      readonly ok: true
      readonly target: Target
      /** Of an OAuth request only. */
      readonly nonce?: BurnableNonce
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
}

const REFUSED: Verification = { ok: false }

/** Whether the merchant of the endpoint signed the request, by the scheme that the catalogue gives (interface part 5). */
export function verifyRequest(input: VerificationInput): Verification {
  const { auth }: Operation = catalogue[input.request.key]
  return auth.scheme === 'control' ? verifyByControl(auth, input) : verifyByOAuth(auth, input)
}

function verifyByControl(auth: ControlAuth, { request, target, decoy, profile }: VerificationInput): Verification {
  const { key, endpoint, pairs } = request
  const result = controlTerms({ auth, model: catalogue[key].request, endpointId: endpoint.id, pairs, profile })
  if (!result.ok) return { ok: false, issues: result.issues }
  const merchant = target?.merchant ?? decoy
  const control = controlOf(request)
  const verdict = verifyControl({ terms: result.terms, key: merchant.controlKey.reveal(), control })
  return verdict.ok && target !== undefined ? { ok: true, target, signedAs: control.toLowerCase() } : REFUSED
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
  return { ok: true, target, nonce: { consumerKey, timestamp, nonce } }
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
