/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */

export type { SignControlInput, VerifyControlInput } from './control/control.ts'
export type { ControlEvidence, ControlTermRule } from './doctor/control-evidence.ts'
export type { Explanation } from './doctor/explanation.ts'
export type { KeyEvidence, OAuthEvidence } from './doctor/recipe.ts'
export type { SigningErrorCode } from './errors.ts'
export { keyBits } from './keys/key-bits.ts'
export { textOfFile } from './keys/masked-key.ts'
export type { OAuthHeader } from './oauth/oauth-header.ts'
export type { ParsedAuthorizationHeader } from './oauth/parse-authorization-header.ts'
export type { SignedOAuth } from './oauth/sign-oauth.ts'
export type { SignableRequest } from './oauth/signature-base-string.ts'
export type { OAuthNonce } from './replay/replay-guard.ts'
