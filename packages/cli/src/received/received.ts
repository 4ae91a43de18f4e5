import { NO_GATEWAY } from '../arguments/brand.ts'
import { UsageError } from '../usage-error.ts'

/** A request as it was sent. */
export interface Received {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly authorization: string | undefined
  /** The form as it was sent. */
  readonly body: string
}

/** Marks of `curl --verbose` before the lines of a request. */
const MARK = /^> /

const FIRST_LINE = /^([A-Z]+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/

/**
 * Reads a request as it goes over the wire, as logs and proxies show it: a line with method and path, headers, an empty line,
 * the body.
 *
 * @param baseUrl of the gateway, or `NO_GATEWAY`
 * @throws UsageError that says what is missing
 */
export function readReceived(text: string, baseUrl: string): Received {
  const [head = '', ...rest] = text
    .replaceAll('\r\n', '\n')
    .trimStart()
    .split(/\n>?[ \t]*\n/)
  const [first = '', ...lines] = head.split('\n').map((line) => line.replace(MARK, ''))
  const [, method, target] = FIRST_LINE.exec(first.trim()) ?? []
  if (method === undefined || target === undefined) {
    throw new UsageError('a request begins with its method and path, such as POST /paynet/api/v2/sale/1111 HTTP/1.1')
  }
  const headers = new Map(lines.map(headerOf))
  const body = rest.join('\n\n').trim()
  return { method, url: urlOf(target, headers.get('host'), baseUrl), authorization: headers.get('authorization'), body }
}

function headerOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon < 1)
    throw new UsageError('a header line has no colon: after the headers comes an empty line, then the body')
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

/** A request shows the host at most, never the scheme. */
function urlOf(target: string, host: string | undefined, baseUrl: string): string {
  if (URL.canParse(target)) return target
  if (baseUrl !== NO_GATEWAY) return baseUrl + belowBase(target)
  return host === undefined ? NO_GATEWAY + target : `https://${host}${target}`
}

/** How every path of the interface begins. */
const FIRST_SEGMENTS = /\/api\/v\d\//

/** The part of a path or an address that the interface names: what is before it differs by gateway. */
export function belowBase(address: string): string {
  const at = FIRST_SEGMENTS.exec(address)?.index
  if (at === undefined) throw new UsageError('the path is none of the interface: it has no part like /api/v2/')
  return address.slice(at)
}
