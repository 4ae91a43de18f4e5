import type { OAuthHeader } from '../oauth/oauth-header.ts'
import type { OAuthRefusalReason } from '../oauth/refuse-request.ts'
import type { Finding } from './explanation.ts'
import type { OAuthEvidence } from './oauth-evidence.ts'
import { cook, recipeOf } from './recipe.ts'
import { findKeyMistake, type SigningCause } from './signing-mistake.ts'

/** What causes a refusal other than that of the signature itself. */
export type RefusalCause =
  | Exclude<OAuthRefusalReason, 'method-mismatch' | 'timestamp-outside-window' | 'wrong-signature'>
  | SigningCause
  | 'clock-skew'
  | 'key-under-2048-bits'
  | 'signature-in-hex'

const MIN_SIGNATURE_BYTES = 256

/** The finding of a refusal that itself says what is wrong. */
export function refusalFinding(
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

/** A digest whose length is not that of the method. */
function otherAlgorithm(evidence: OAuthEvidence, header: OAuthHeader): Finding<RefusalCause> | undefined {
  return findKeyMistake(evidence, cook(recipeOf(evidence, header)), header.signature)
}
