import { CONTROL_CHARACTER, type Refusal, refuse } from '../errors.ts'
import { OAUTH_NAMES, type OAuthHeader } from './oauth-header.ts'
import { percentDecode } from './percent.ts'

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

/** One parameter of a header, as it stood between its quotes. */
type RawParameter = { readonly name: string; readonly raw: string }

const SCHEME = /^[ \t]*OAuth +/i
/** `name="value"` with optional white space, up to and with the comma after it; the last one ends the text. */
const PARAMETER = /[ \t]*[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[ \t]*"(?:[\t !#-[\]-~]|\\[\t -~])*"[ \t]*(?:,|$)/gy

/** The text after the scheme `OAuth`, in whichever case it is written, or `undefined` for any other scheme. */
function withoutScheme(text: string): string | undefined {
  const scheme = SCHEME.exec(text)
  return scheme === null ? undefined : text.slice(scheme[0].length)
}

/**
 * Splits the parameters of an `Authorization` header, or `undefined` when anything in it departs from the grammar:
 * a list of `name="value"` with a comma between, white space allowed around commas and equals signs and nowhere else.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-11.4 RFC 9110 section 11.4}
 */
function splitParameters(text: string): RawParameter[] | undefined {
  const matches = Array.from(text.matchAll(PARAMETER), ([match]) => match)
  const isWhole = matches.join('').length === text.length
  if (!isWhole || matches.at(-1)?.endsWith(',') !== false) return undefined
  return matches.map((match) => ({
    name: match.slice(0, match.indexOf('=')).trim(),
    raw: match.slice(match.indexOf('"') + 1, match.lastIndexOf('"')),
  }))
}

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
