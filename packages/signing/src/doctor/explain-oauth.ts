import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SigningError } from '../errors.ts'
import { hmacKey } from '../keys/hmac-key.ts'
import { inLines } from '../keys/pem.ts'
import { rsaPrivateKey } from '../keys/rsa-private-key.ts'
import { rsaPublicKey } from '../keys/rsa-public-key.ts'
import type { OAuthHeader } from '../oauth/oauth-header.ts'
import { type HeaderRefusalReason, parseAuthorizationHeader } from '../oauth/parse-authorization-header.ts'
import { percentEncode } from '../oauth/percent.ts'
import type { OAuthRefusalReason } from '../oauth/refuse-request.ts'
import type { OAuthVerifier } from '../oauth/signature-methods.ts'
import { verifyOAuth } from '../oauth/verify-oauth.ts'
import { type Explanation, explained, type Finding, maskSensitive } from './explanation.ts'
import { cook, type KeyEvidence, type OAuthEvidence, recipeOf } from './recipe.ts'
import { findKeyMistake, findSigningMistake, type SigningCause } from './signing-mistake.ts'

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

/** What causes a refusal other than that of the signature itself. */
type RefusalCause =
  | Exclude<OAuthRefusalReason, 'method-mismatch' | 'timestamp-outside-window' | 'wrong-signature'>
  | SigningCause
  | 'clock-skew'
  | 'key-under-2048-bits'
  | 'signature-in-hex'

const MIN_SIGNATURE_BYTES = 256

/** The finding of a refusal that itself says what is wrong. */
function refusalFinding(
  evidence: OAuthEvidence,
  header: OAuthHeader,
  reason: Exclude<OAuthRefusalReason, 'wrong-signature'>,
  advice: string,
): Finding<RefusalCause> {
  switch (reason) {
    case 'timestamp-outside-window': {
      return { cause: 'clock-skew', advice, expected: Math.floor(evidence.now).toString(), received: header.timestamp }
    }
    case 'method-mismatch': {
      return { cause: 'wrong-method', advice, expected: evidence.method, received: header.signatureMethod }
    }
    case 'malformed-signature': {
      return (
        inHex(header) ??
        shortKey(evidence, header) ??
        hmacForRsa(evidence, header) ??
        otherAlgorithm(evidence, header) ?? { cause: reason, advice, expected: '' }
      )
    }
    default: {
      return { cause: reason, advice, expected: '' }
    }
  }
}

const HEX = /^[\da-f]{40,}$/i

/** Hexadecimal digits instead of base64, or inside it: PHP's `hash_hmac` returns digits unless asked for bytes. */
function inHex({ signature }: OAuthHeader): Finding<RefusalCause> | undefined {
  const texts = [signature, Buffer.from(signature, 'base64').toString('latin1')]
  if (!texts.some((text) => HEX.test(text))) return undefined
  return {
    cause: 'signature-in-hex',
    advice: 'encode the bytes of the signature in base64, not their hex digits',
    expected: '',
  }
}

/** A signature of RSA is as long as its key. */
function shortKey({ method }: OAuthEvidence, { signature }: OAuthHeader): Finding<RefusalCause> | undefined {
  const bytes = Buffer.from(signature, 'base64')
  const isShort = [64, 96, 128, 192].includes(bytes.length) && bytes.toString('base64') === signature
  if (method !== 'RSA-SHA256' || !isShort) return undefined
  const advice = `the key that signed has ${bytes.length * 8} bits, and the specification asks for ${MIN_SIGNATURE_BYTES * 8}: make a new pair`
  return { cause: 'key-under-2048-bits', advice, expected: '' }
}

const HMAC_BYTES = 20

function hmacForRsa({ method }: OAuthEvidence, { signature }: OAuthHeader): Finding<RefusalCause> | undefined {
  if (method !== 'RSA-SHA256' || Buffer.from(signature, 'base64').length !== HMAC_BYTES) return undefined
  const advice =
    'RSA-SHA256 is named, and the signature is as long as one of HMAC-SHA1: sign by the method that is named'
  return { cause: 'wrong-method', advice, expected: '' }
}

/** A digest whose length is not that of the method. */
function otherAlgorithm(evidence: OAuthEvidence, header: OAuthHeader): Finding<RefusalCause> | undefined {
  return findKeyMistake(evidence, cook(recipeOf(evidence, header)), header.signature)
}

/** What a PEM text can be that should not be. */
type RsaKeyCause =
  | 'key-under-2048-bits'
  | 'private-key-given-for-public'
  | 'public-key-given-for-private'
  | 'unusable-key'
  | 'wrong-key'

/** What is wrong with the keys themselves, before any signature is looked at. */
type RsaKeyProblem = { readonly cause: RsaKeyCause; readonly advice: string }

const MIN_BITS = 2048

/** What is wrong with the public key. @see Specification parts 5.2 and 8 (at least 2048 bits) */
export function publicKeyProblem(evidence: KeyEvidence): RsaKeyProblem | undefined {
  return evidence.method === 'RSA-SHA256' ? importProblem(evidence.publicKey, rsaPublicKey) : undefined
}

/** What is wrong with the private key, if it is given and the public key is sound. */
function privateKeyProblem(evidence: KeyEvidence): RsaKeyProblem | undefined {
  if (evidence.method !== 'RSA-SHA256' || evidence.privateKey === undefined) return undefined
  return importProblem(evidence.privateKey, rsaPrivateKey) ?? pairProblem(evidence.publicKey, evidence.privateKey)
}

/** The import says in words what is wrong; which cause that is follows from the PEM text. */
function importProblem(pem: string, importKey: (pem: string) => unknown): RsaKeyProblem | undefined {
  try {
    importKey(pem)
    return undefined
  } catch (error) {
    if (!(error instanceof SigningError)) throw error
    return { cause: causeOf(pem, importKey === rsaPublicKey), advice: error.message }
  }
}

function causeOf(pem: string, isPublicWanted: boolean): RsaKeyCause {
  const key = readKey(pem)
  if (key === undefined || key.asymmetricKeyType !== 'rsa') return 'unusable-key'
  if (key.type === 'private' && isPublicWanted) return 'private-key-given-for-public'
  if (key.type === 'public' && !isPublicWanted) return 'public-key-given-for-private'
  return Number(key.asymmetricKeyDetails?.modulusLength) < MIN_BITS ? 'key-under-2048-bits' : 'unusable-key'
}

function readKey(pem: string): KeyObject | undefined {
  for (const read of [createPrivateKey, createPublicKey]) {
    try {
      return read(inLines(pem))
    } catch {
      // Not this half of the pair; the caller already has the whole reason.
    }
  }
  return undefined
}

function pairProblem(publicKey: string, privateKey: string): RsaKeyProblem | undefined {
  if (createPublicKey(inLines(privateKey)).equals(createPublicKey(inLines(publicKey)))) return undefined
  return { cause: 'wrong-key', advice: 'the two keys are no pair: supply the public half of the key that signs' }
}
