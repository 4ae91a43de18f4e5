import { hmacKey } from '../keys/hmac-key.ts'
import { rsaPublicKey } from '../keys/rsa-public-key.ts'
import type { OAuthHeader } from '../oauth/oauth-header.ts'
import { type HeaderRefusalReason, parseAuthorizationHeader } from '../oauth/parse-authorization-header.ts'
import { percentEncode } from '../oauth/percent-encode.ts'
import type { OAuthVerifier } from '../oauth/signature-methods.ts'
import { verifyOAuth } from '../oauth/verify-oauth.ts'
import { type Explanation, explained, type Finding } from './explanation.ts'
import { maskSensitive } from './mask-sensitive.ts'
import type { OAuthEvidence } from './oauth-evidence.ts'
import { cook, recipeOf } from './recipe.ts'
import { type RefusalCause, refusalFinding } from './refusal-finding.ts'
import { privateKeyProblem, publicKeyProblem, type RsaKeyCause } from './rsa-key-problem.ts'
import { findSigningMistake, type SigningCause } from './signing-mistake.ts'

/** Why a signed request was refused. Refusals before the signature keep their reason as the cause. */
export type OAuthCause = HeaderRefusalReason | RefusalCause | RsaKeyCause | SigningCause | 'nonce-seen'

/**
 * Names the mistake behind a refused OAuth signature, by making single mistakes until one gives what was received. For a
 * sandbox, a support desk and a merchant's own console: it is slow, and gives up if it would take more than a moment
 * (`isCutShort`).
 *
 * With RSA the receiver has only the public key: it tries a mistake by verifying the received signature against the base
 * string that the mistake makes. A wrong key can only be named if it is given among the others, or if the sender shows the
 * base string.
 *
 * @throws {SigningError} As `verifyOAuth`, for the caller's own part, and `BAD_KEY` for a secret that is empty.
 * @see Specification part 5.2; the mistakes are those of gaps parts 7.2 and 11
 */
export function explainOAuth(evidence: OAuthEvidence): Explanation<OAuthCause> {
  const parsed = parseAuthorizationHeader(evidence.authorization)
  if (!parsed.ok) return tell(evidence, { cause: parsed.reason, advice: parsed.message, expected: HEADER_FORM })
  const problem = publicKeyProblem(evidence)
  return problem === undefined ? explainVerdict(evidence, parsed.header) : tell(evidence, { ...problem, expected: '' })
}

const HEADER_FORM = 'OAuth oauth_consumer_key="…", oauth_nonce="…", oauth_signature="…", …'
const NONCE_SEEN =
  'this consumer has sent this nonce with this timestamp before: make a fresh nonce for every request, also for a repeat'

function explainVerdict(evidence: OAuthEvidence, header: OAuthHeader): Explanation<OAuthCause> {
  const verdict = verifyOAuth({ ...evidence, ...verifierOf(evidence), header })
  if (verdict.ok && evidence.isNonceSeen !== true) return { explained: false, right: true }
  if (verdict.ok) return tell(evidence, { cause: 'nonce-seen', advice: NONCE_SEEN, expected: '' })
  if (verdict.reason === 'wrong-signature') return explainSignature(evidence, header)
  return tell(evidence, refusalFinding(evidence, header, verdict.reason, verdict.message))
}

function explainSignature(evidence: OAuthEvidence, header: OAuthHeader): Explanation<OAuthCause> {
  const recipe = recipeOf(evidence, header)
  const expected = cook(recipe)
  const problem = privateKeyProblem(evidence)
  if (problem !== undefined) return tell(evidence, { ...problem, expected })
  const { finding, isCutShort } = findSigningMistake(evidence, recipe, header)
  if (finding !== undefined) return tell(evidence, finding)
  const shown = maskSensitive(expected, secretsOf(evidence))
  return { explained: false, right: false, expected: shown, ...(isCutShort && { isCutShort }) }
}

function tell(evidence: OAuthEvidence, finding: Finding<OAuthCause>): Explanation<OAuthCause> {
  return explained(finding, secretsOf(evidence))
}

/** The secrets, also as they stand in a base string. */
function secretsOf(evidence: OAuthEvidence): string[] {
  const secrets = evidence.method === 'HMAC-SHA1' ? [evidence.secret, ...(evidence.otherSecrets ?? [])] : []
  return secrets.flatMap((secret) => [secret, percentEncode(secret), percentEncode(percentEncode(secret))])
}

function verifierOf(evidence: OAuthEvidence): OAuthVerifier {
  return evidence.method === 'HMAC-SHA1'
    ? { method: evidence.method, key: hmacKey(evidence.secret) }
    : { method: evidence.method, key: rsaPublicKey(evidence.publicKey) }
}
