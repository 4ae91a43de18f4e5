import { NO_GATEWAY } from '../arguments/brand.ts'
import { UsageError } from '../arguments/parse.ts'
import { requestLines } from './request-lines.ts'

/** A request as it was sent. */
export interface Received {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** Whether somebody said that it is https, or http. */
  readonly isSchemeKnown: boolean
  readonly authorization: string | undefined
  /** The form as it was sent. */
  readonly body: string
}

/** Of a request, or between quotes in a line of an access log. */
const FIRST_LINE = /(?:^|")([A-Z]+) (\S+?)(?: HTTP\/\d(?:\.\d)?)?(?:"|$)/

/**
 * Reads a request as logs and proxies show it: a line with method and path, headers, an empty line, the body. The pseudo-headers of
 * HTTP/2 may stand for the line, or a curl command for all of it.
 *
 * @param baseUrl of the gateway, or `NO_GATEWAY`
 * @throws UsageError that says what is missing
 */
export function readReceived(text: string, baseUrl: string): Received {
  const { head, body } = requestLines(text)
  const [first = '', ...others] = head
  const isHttp2 = first.startsWith(':')
  const line = FIRST_LINE.exec(first)
  if (line === null && !isHttp2) throw new UsageError(NO_REQUEST)
  const headers = new Map((isHttp2 ? head : others).map(headerOf))
  const [, method = headers.get(':method'), target = headers.get(':path')] = line ?? []
  if (method === undefined || target === undefined) throw new UsageError(NO_REQUEST)
  return { method, ...addressOf(target, headers, baseUrl), authorization: headers.get('authorization'), body }
}

const NO_REQUEST =
  'a request begins with its method and path, such as POST /paynet/api/v2/sale/1111 HTTP/1.1; ' +
  'of anything else, such as a log in JSON, give the parts with --url and --body'

/**
 * The query of a callback.
 *
 * @param text the address with its query, the query alone, or the line of an access log or of a request with it
 */
export function callbackQuery(text: string): string {
  const [, , target = text] = FIRST_LINE.exec(text.trim()) ?? []
  const query = target.slice(target.lastIndexOf('?') + 1).replace(/#.*/s, '')
  if (query.includes('=')) return query.trim()
  throw new UsageError('the address of the callback has no query, such as ?status=approved&orderid=17&...')
}

function headerOf(line: string): readonly [name: string, value: string] {
  // A pseudo-header begins with a colon.
  const colon = line.indexOf(':', 1)
  if (colon < 1)
    throw new UsageError('a header line has no colon: after the headers comes an empty line, then the body')
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

/** Most requests show the host at most, and not the scheme. */
export function addressOf(target: string, headers: ReadonlyMap<string, string>, baseUrl: string) {
  if (URL.canParse(target)) return { url: target, isSchemeKnown: true }
  if (baseUrl !== NO_GATEWAY) return { url: baseUrl + belowBase(target), isSchemeKnown: true }
  const scheme = headers.get(':scheme')
  const shown = `${scheme ?? 'https'}://${headers.get('host') ?? headers.get(':authority') ?? ''}`
  // A log may mask the host, or have it before the path.
  const origin = URL.canParse(shown) && target.startsWith('/') ? shown : NO_GATEWAY
  return { url: origin + target, isSchemeKnown: scheme !== undefined }
}

/** How every path of the interface begins. */
const FIRST_SEGMENTS = /\/api\/v\d\//

/** The part of a path or an address that the interface names: what is before it differs by gateway. */
export function belowBase(address: string): string {
  const at = FIRST_SEGMENTS.exec(address)?.index
  if (at === undefined) throw new UsageError('the path is none of the interface: it has no part like /api/v2/')
  return address.slice(at)
}
