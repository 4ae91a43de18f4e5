import { CONTROL_CHARACTER } from '../control-character.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { OAUTH_NAMES, type OAuthHeader } from './oauth-header.ts'
import { percentDecode } from './percent-decode.ts'
import { type RawParameter, splitParameters, withoutScheme } from './split-authorization-header.ts'
import { readUsualHeader } from './usual-header.ts'

/** Why an `Authorization` header was refused before its values were looked at. */
export type HeaderRefusalReason =
  | 'duplicate-parameter'
  | 'header-too-long'
  | 'malformed-header'
  | 'missing-parameter'
  | 'not-oauth'
  | 'unknown-parameter'

/** The outcome of {@link parseAuthorizationHeader}. */
export type ParsedAuthorizationHeader =
  | { readonly ok: true; readonly header: OAuthHeader }
  | Refusal<HeaderRefusalReason>

type HeaderRefusal = Refusal<HeaderRefusalReason>

const MAX_BYTES = 8192
const REALM = 'realm'
const KNOWN_NAMES: ReadonlySet<string> = new Set([REALM, ...Object.values(OAUTH_NAMES)])
/** Percent-encoded text, and the three characters of raw base64, which some senders leave as they are. */
const ENCODED = /^[A-Za-z0-9\-._~+/=%]*$/

/**
 * Reads the value of an `Authorization` header into its decoded parameters. Who sent it is then known, not proven: look
 * up the key by `header.consumerKey` and call {@link verifyOAuth}.
 *
 * Accepted: the scheme in any case, white space around commas, raw base64 (a `+` is a plus sign, never a space), a realm.
 * An `oauth_token` is accepted if it is empty.
 * Refused: more than 8 KiB, a name twice or that is none of the six, a missing one but `oauth_version`,
 * any other departure from the grammar.
 *
 * Never throws: what is wrong comes back as `{ ok: false, reason, message }`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.5.1 RFC 5849 section 3.5.1}; specification part 5.2;
 *   separators and raw values from gaps part 7.2
 */
export function parseAuthorizationHeader(text: string): ParsedAuthorizationHeader {
  if (typeof text !== 'string') return refuse('not-oauth', 'there is no Authorization header')
  if (text.length > MAX_BYTES) return refuse('header-too-long', `the Authorization header is over ${MAX_BYTES} bytes`)
  const usual = readUsualHeader(text)
  return usual === undefined ? parseAnyHeader(text) : { ok: true, header: usual }
}

/** The whole grammar, for every header that is not in the usual spelling. */
export function parseAnyHeader(text: string): ParsedAuthorizationHeader {
  const list = withoutScheme(text)
  if (list === undefined) return refuse('not-oauth', 'the Authorization header is not of the scheme OAuth')
  const raw = splitParameters(list)
  if (raw === undefined)
    return refuse('malformed-header', 'the header is not a list of name="value", with commas between')
  const values = decodeValues(raw)
  return values instanceof Map ? toHeader(values) : values
}

function decodeValues(parameters: readonly RawParameter[]): Map<string, string> | HeaderRefusal {
  const values = new Map<string, string>()
  for (const { name: spelled, raw } of parameters) {
    // RFC 9110: the names of auth-params are case-insensitive; OAuth defines its own in lower case only.
    const name = spelled.toLowerCase() === REALM ? REALM : spelled
    if (!KNOWN_NAMES.has(name)) {
      return refuse(
        'unknown-parameter',
        'the header holds a parameter that is none of the six oauth_* parameters and no realm',
      )
    }
    if (values.has(name)) return refuse('duplicate-parameter', `${name} is in the header more than once`)
    const value = name === REALM ? raw.replace(/\\(.)/g, '$1') : decodeValue(raw)
    if (value === undefined) {
      return refuse('malformed-header', `the value of ${name} is not percent-encoded UTF-8 without control characters`)
    }
    if (name === OAUTH_NAMES.token && value !== '') return tokenRefused()
    values.set(name, value)
  }
  return values
}

function decodeValue(raw: string): string | undefined {
  const value = ENCODED.test(raw) ? percentDecode(raw) : undefined
  // No login or nonce holds a control character, and some stores cannot hold one.
  return value === undefined || CONTROL_CHARACTER.test(value) ? undefined : value
}

function tokenRefused(): HeaderRefusal {
  return refuse('unknown-parameter', 'oauth_token is in the header, but this interface is two-legged and has no token')
}

const MAY_BE_MISSING: readonly string[] = [OAUTH_NAMES.token, OAUTH_NAMES.version]

/** Each part of a header has its name in the table. */
function toHeader(values: ReadonlyMap<string, string>): ParsedAuthorizationHeader {
  const missing = Object.values(OAUTH_NAMES).find((name) => !MAY_BE_MISSING.includes(name) && !values.has(name))
  if (missing !== undefined) return refuse('missing-parameter', `${missing} is missing in the header`)
  const parts = Object.entries(OAUTH_NAMES).map(([part, name]) => [part, values.get(name)])
  return { ok: true, header: { realm: values.get(REALM), ...Object.fromEntries(parts) } }
}
