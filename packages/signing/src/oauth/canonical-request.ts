import { baseStringBytes } from './base-string-bytes.ts'
import { isCanonical } from './canonical-body.ts'
import { isProtocolName, type OAuthHeader, signedParameters } from './oauth-header.ts'
import { percentEncode } from './percent-encode.ts'

/**
 * The base string of a request whose body is already the parameter string that was signed: canonical, and with all of the
 * header's `oauth_*` pairs in it. `undefined` for any other, which takes the plain path, refusals included.
 *
 * A fast path: it neither decodes the fields nor sorts them. The header must have been found in order before.
 */
export function canonicalBaseString(beginning: string, body: string, header: OAuthHeader): Uint8Array | undefined {
  return isCanonical(body) && holdsProtocolPairs(body, header) ? baseStringBytes(beginning, body) : undefined
}

/** Whether the pairs stand in the body in one piece. Where names are sorted, any other `oauth_*` would stand beside it. */
function holdsProtocolPairs(body: string, header: OAuthHeader): boolean {
  const pairs = sortedPairs(header)
  const start = body.indexOf(pairs)
  const end = start + pairs.length
  if (start === -1 || (end < body.length && body[end] !== '&')) return false
  const before = body.slice(body.lastIndexOf('&', start - 2) + 1, start)
  return (start === 0 || before.endsWith('&')) && !isProtocolName(before) && !isProtocolName(body.slice(end + 1))
}

/** Their names come in the order of their bytes. */
function sortedPairs(header: OAuthHeader): string {
  let pairs = ''
  for (const [name, value] of signedParameters(header)) pairs += `&${name}=${percentEncode(value)}`
  return pairs.slice(1)
}
