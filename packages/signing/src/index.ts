export {
  type ControlVerdict,
  type SignControlInput,
  signControl,
  type VerifyControlInput,
  verifyControl,
} from './control/control.ts'
export type { ControlEvidence } from './doctor/control-evidence.ts'
export { explainControl } from './doctor/explain-control.ts'
export { explainOAuth } from './doctor/explain-oauth.ts'
export type { Explanation } from './doctor/explanation.ts'
export type { OAuthEvidence } from './doctor/recipe.ts'
export { SigningError, type SigningErrorCode } from './errors.ts'
export { type HmacKey, hmacKey } from './keys/hmac-key.ts'
export { type RsaPrivateKey, rsaPrivateKey } from './keys/rsa-private-key.ts'
export { type RsaPublicKey, rsaPublicKey } from './keys/rsa-public-key.ts'
export { formatAuthorizationHeader, type OAuthHeader } from './oauth/oauth-header.ts'
export { decodeParameters, normalizeParameters, type Parameter } from './oauth/parameters.ts'
export { type ParsedAuthorizationHeader, parseAuthorizationHeader } from './oauth/parse-authorization-header.ts'
export { percentEncode } from './oauth/percent.ts'
export { baseStringUri } from './oauth/request-url.ts'
export { type SignedOAuth, type SignOAuthInput, signOAuth, signOAuthAsync } from './oauth/sign-oauth.ts'
export { type SignableRequest, signatureBaseString } from './oauth/signature-base-string.ts'
export type { SignatureMethod } from './oauth/signature-methods.ts'
export { type OAuthVerdict, type VerifyOAuthInput, verifyOAuth, verifyOAuthAsync } from './oauth/verify-oauth.ts'
export { type NonceStore, type ReplayGuard, replayGuard } from './replay/replay-guard.ts'
