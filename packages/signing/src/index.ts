export type { ControlTerms } from './control/control-text.ts'
export { signControl } from './control/sign-control.ts'
export {
  type ControlRefusalReason,
  type ControlVerdict,
  type VerifyControlInput,
  verifyControl,
} from './control/verify-control.ts'
export type {
  ControlEvidence,
  ControlFormula,
  ControlTermRule,
} from './doctor/control-evidence.ts'
export type { ControlCause } from './doctor/control-mistakes.ts'
export { explainControl } from './doctor/explain-control.ts'
export { explainOAuth, type OAuthCause } from './doctor/explain-oauth.ts'
export type { Explanation } from './doctor/explanation.ts'
export type { KeyEvidence, OAuthEvidence } from './doctor/oauth-evidence.ts'
export { SigningError, type SigningErrorCode } from './errors.ts'
export { type HmacKey, hmacKey } from './keys/hmac-key.ts'
export { keyBits } from './keys/key-bits.ts'
export type { MaskedKey } from './keys/masked-key.ts'
export { type RsaPrivateKey, rsaPrivateKey } from './keys/rsa-private-key.ts'
export { type RsaPublicKey, rsaPublicKey } from './keys/rsa-public-key.ts'
export { textOfFile } from './keys/text-of-file.ts'
export { baseStringUri } from './oauth/base-string-uri.ts'
export { decodeParameters } from './oauth/decode-parameters.ts'
export { formatAuthorizationHeader } from './oauth/format-authorization-header.ts'
export { normalizeParameters } from './oauth/normalize-parameters.ts'
export type { OAuthHeader } from './oauth/oauth-header.ts'
export type { Parameter } from './oauth/parameter.ts'
export {
  type HeaderRefusalReason,
  type ParsedAuthorizationHeader,
  parseAuthorizationHeader,
} from './oauth/parse-authorization-header.ts'
export { percentEncode } from './oauth/percent-encode.ts'
export type { OAuthRefusal, OAuthRefusalReason } from './oauth/refuse-request.ts'
export { type SignedOAuth, type SignOAuthInput, signOAuth, signOAuthAsync } from './oauth/sign-oauth.ts'
export { type SignableRequest, signatureBaseString } from './oauth/signature-base-string.ts'
export type { OAuthSigner, OAuthVerifier, SignatureMethod } from './oauth/signature-methods.ts'
export {
  type OAuthVerdict,
  type ReceivedRequest,
  type VerifyOAuthInput,
  verifyOAuth,
  verifyOAuthAsync,
} from './oauth/verify-oauth.ts'
export type { Refusal } from './refusal.ts'
export type { BurnableNonce, NonceStore } from './replay/nonce-store.ts'
export { type ReplayGuard, type ReplayGuardOptions, replayGuard } from './replay/replay-guard.ts'
