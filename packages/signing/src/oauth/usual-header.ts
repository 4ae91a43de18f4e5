import type { OAuthHeader } from './oauth-header.ts'

const PLAIN = '"([A-Za-z0-9._~-]+)"'
const USUAL = new RegExp(
  `^OAuth oauth_consumer_key=${PLAIN}, oauth_nonce=${PLAIN}, oauth_signature="([A-Za-z0-9]*(?:%(?:2B|2F|3D)[A-Za-z0-9]*)*)", ` +
    `oauth_signature_method=${PLAIN}, oauth_timestamp=${PLAIN}, oauth_version=${PLAIN}$`,
)

type Groups = readonly [all: string, string, string, string, string, string, string]

/**
 * The header in the spelling that most senders use: no realm, all six parameters in the order of their bytes, a comma and
 * a space between, and nothing to decode but the signature. `undefined` for any other spelling.
 *
 * A fast path: one expression instead of a list and a map. `parseAuthorizationHeader` reads any header without it and is the
 * reference in the tests.
 */
export function readUsualHeader(text: string): OAuthHeader | undefined {
  // If the expression matches, so does each of its groups.
  const match = USUAL.exec(text) as Groups | null
  if (match === null) return undefined
  const [, consumerKey, nonce, encoded, signatureMethod, timestamp, version] = match
  return {
    realm: undefined,
    version,
    consumerKey,
    nonce,
    signatureMethod,
    timestamp,
    // The expression matches only escapes that can be decoded.
    signature: decodeURIComponent(encoded),
  }
}
