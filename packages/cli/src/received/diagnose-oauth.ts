import { type OAuthMethod, parseForm } from '@tallystick/core'
import { likelyUrls } from '@tallystick/gateway'
import { type Explanation, explainOAuth, type KeyEvidence, parseAuthorizationHeader } from '@tallystick/signing'
import { NO_GATEWAY } from '../arguments/brand.ts'
import { UsageError } from '../usage-error.ts'
import type { Diagnosis, Known } from './diagnosis.ts'
import type { Received } from './received.ts'
import { suspicionOfOAuth } from './suspicion.ts'

/**
 * @param name of the operation
 * @throws UsageError if the request does not show its host, or has no signature
 */
export function diagnoseOAuth(
  name: string,
  method: OAuthMethod,
  received: Received,
  known: Known,
): Omit<Diagnosis, 'refusal'> {
  const { authorization } = received
  if (received.url.startsWith(NO_GATEWAY))
    throw new UsageError('the request does not show its host, which an OAuth signature covers: give it with --base-url')
  if (authorization === undefined)
    throw new UsageError('the header Authorization is missing: it has the signature. Give it with --authorization')
  const signedAt = signedAtOf(authorization)
  const evidence = {
    ...keysOf(method, known),
    httpMethod: received.method,
    parameters: parseForm(received.body),
    authorization,
    now: known.at ?? signedAt ?? 0,
    theirBaseString: known.signedText,
  }
  const explainedAt = (url: string): ExplainedAt => ({
    url,
    explanation: explainOAuth({ ...evidence, url, otherUrls: likelyUrls(url) }),
  })
  const asShown = explainedAt(received.url)
  const byHttp = byHttpOf(received)
  const { url, explanation } = byHttp === undefined ? asShown : likelier(asShown, explainedAt(byHttp))
  const isGuess = byHttp !== undefined && clarityOf(explanation) > 0
  return {
    what: `the signature of ${name}${isGuess ? `, if it went to ${url},` : ''}`,
    suspicion: suspicionOfOAuth(url, known.signedText),
    explanation,
    signedAt: known.at === undefined ? signedAt : undefined,
  }
}

function keysOf(method: OAuthMethod, { controlKey, publicKey, otherKeys }: Known): KeyEvidence {
  return method === 'HMAC-SHA1'
    ? { method, secret: controlKey(), otherSecrets: otherKeys }
    : { method, publicKey: publicKey(), otherPublicKeys: otherKeys }
}

/** In seconds since 1970. */
function signedAtOf(authorization: string): number | undefined {
  const parsed = parseAuthorizationHeader(authorization)
  return parsed.ok && /^\d{10}$/.test(parsed.header.timestamp) ? Number(parsed.header.timestamp) : undefined
}

/** What the doctor says if the request went to this address. */
interface ExplainedAt {
  readonly url: string
  readonly explanation: Explanation<string>
}

/** A request that shows only a host with a port may have gone there by http, such as to a sandbox. */
function byHttpOf({ url, isSchemeKnown }: Received): string | undefined {
  return isSchemeKnown || new URL(url).port === '' ? undefined : url.replace(/^https:/, 'http:')
}

/** Few have a certificate for it. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function likelier(byHttps: ExplainedAt, byHttp: ExplainedAt): ExplainedAt {
  const gain = clarityOf(byHttp.explanation) - clarityOf(byHttps.explanation)
  return gain > 0 || (gain === 0 && THIS_MACHINE.test(new URL(byHttp.url).hostname)) ? byHttp : byHttps
}

/** A signature that is right says more about what was sent than a mistake that would explain it, and that more than nothing. */
function clarityOf(explanation: Explanation<string>): number {
  if (explanation.explained) return 1
  return explanation.right ? 2 : 0
}
