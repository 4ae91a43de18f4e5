export {
  type ControlRefusalReason,
  type ControlTerms,
  type ControlVerdict,
  signControl,
  type VerifyControlInput,
  verifyControl,
} from './control/control.ts'
export type {
  ControlEvidence,
  ControlFormula,
  ControlTermRule,
} from './doctor/control-evidence.ts'
export type { ControlCause } from './doctor/control-mistakes.ts'
export { explainControl } from './doctor/explain-control.ts'
export { explainOAuth, type OAuthCause } from './doctor/explain-oauth.ts'
export type { Explanation } from './doctor/explanation.ts'
export type { KeyEvidence, OAuthEvidence } from './doctor/recipe.ts'
export { type Refusal, SigningError, type SigningErrorCode } from './errors.ts'
export { type HmacKey, hmacKey } from './keys/hmac-key.ts'
export { keyBits } from './keys/key-bits.ts'
export { type MaskedKey, textOfFile } from './keys/masked-key.ts'
export { type RsaPrivateKey, rsaPrivateKey } from './keys/rsa-private-key.ts'
export { type RsaPublicKey, rsaPublicKey } from './keys/rsa-public-key.ts'
export { formatAuthorizationHeader, type OAuthHeader } from './oauth/oauth-header.ts'
export { decodeParameters, normalizeParameters, type Parameter } from './oauth/parameters.ts'
export {
  type HeaderRefusalReason,
  type ParsedAuthorizationHeader,
  parseAuthorizationHeader,
} from './oauth/parse-authorization-header.ts'
export { percentEncode } from './oauth/percent.ts'
export type { OAuthRefusal, OAuthRefusalReason } from './oauth/refuse-request.ts'
export { baseStringUri } from './oauth/request-url.ts'
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
export {
  type BurnableNonce,
  type NonceStore,
  type ReplayGuard,
  type ReplayGuardOptions,
  replayGuard,
} from './replay/replay-guard.ts'
