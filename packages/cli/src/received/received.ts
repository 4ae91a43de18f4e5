import { NO_GATEWAY } from '../arguments/brand.ts'
import { UsageError } from '../arguments/parse.ts'

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

/** A request taken apart into its lines. */
interface RequestLines {
  /** Method and path, then the headers. */
  readonly head: readonly string[]
  /** The form, or an empty text if none is shown. */
  readonly body: string
}

/** What `curl --verbose` puts before each line that it sends. */
const SENT = /^> ?/

/** Takes apart a request as it goes over the wire, a curl command, or the whole output of `curl --verbose`. */
function requestLines(text: string): RequestLines {
  if (isCurlCommand(text.trim())) return sentByCurlCommand(text.trim())
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  return lines.some((line) => SENT.test(line)) ? sentByCurl(lines) : asOnTheWire(lines)
}

/** The body is the first block after the empty line: what follows it may be the reply. */
function asOnTheWire(lines: readonly string[]): RequestLines {
  const end = lines.indexOf('')
  if (end === -1) return { head: lines, body: '' }
  const rest = lines.slice(end).join('\n').trim()
  return { head: lines.slice(0, end), body: inOneLine(rest.split('\n\n', 1)) }
}

/**
 * curl says what it does before and after a request, and how far it got. It shows no body, so somebody has put it there: after the
 * headers, and before what the gateway answered. A line of a form has an equals sign, and those of curl have a mark.
 */
function sentByCurl(lines: readonly string[]): RequestLines {
  const head = lines.filter((line) => SENT.test(line)).map((line) => line.replace(SENT, ''))
  const afterHead = lines.slice(lines.findLastIndex((line) => SENT.test(line)) + 1)
  const answer = afterHead.findIndex((line) => line.startsWith('<'))
  const between = answer === -1 ? afterHead : afterHead.slice(0, answer)
  const body = between.filter((line) => line.includes('=') && !/^[*{}] /.test(line))
  return { head: head.filter((line) => line !== ''), body: inOneLine(body) }
}

/** A log or an editor may have broken a form into lines. It has no line breaks of its own: they are escaped. */
function inOneLine(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trim())
    .join('')
}

/** How a command begins that somebody copied, perhaps with the prompt before it. */
const CURL = /^(?:[$#>%] *)?curl(?:\.exe)?\s/

/** The options that say what is sent, by their long names. All others matter to nobody here. */
const SHORT: Readonly<Record<string, string>> = { d: 'data', H: 'header', X: 'request', F: 'form' }
const LONG = /^(data(?:-raw|-ascii|-binary|-urlencode)?|header|request|form|url|json)$/

type Option = readonly [name: string, value: string]

function isCurlCommand(text: string): boolean {
  return CURL.test(text)
}

/** The request that a curl command sends. @throws UsageError if the command does not show it */
function sentByCurlCommand(text: string): RequestLines {
  const { options, others } = sorted(shellWords(text.replace(CURL, '')))
  const valuesOf = (wanted: string) => options.flatMap(([name, value]) => (name === wanted ? value : []))
  if (options.some(([name]) => name === 'form' || name === 'json'))
    throw new UsageError('the curl command sends no form, such as client_orderid=7&amount=10.42')
  const body = options.flatMap(dataOf).join('&')
  // The values of other options are among the other words: an address of the interface is recognized by its path.
  const address = [...valuesOf('url'), ...others].find((word) => /\/api\/(?:3ds\/)?v\d\//.test(word))
  if (address === undefined) throw new UsageError('the curl command has no address with a part like /api/v2/')
  const url = /^https?:/i.test(address) ? address : `http://${address}`
  const method = valuesOf('request').at(-1) ?? (body === '' ? 'GET' : 'POST')
  return { head: [`${method} ${url}`, ...valuesOf('header')], body }
}

/** Nothing if it is in a file: then somebody has to give it. */
function dataOf([name, value]: Option): readonly string[] {
  if (!name.startsWith('data') || value.startsWith('@')) return []
  if (name !== 'data-urlencode') return [value]
  const begin = value.indexOf('=') + 1
  return [value.slice(0, begin) + encodeURIComponent(value.slice(begin))]
}

/** Takes the options from the words that say what is sent. */
function sorted(words: readonly string[]): { readonly options: readonly Option[]; readonly others: readonly string[] } {
  const options: Option[] = []
  const others: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [name, value] = optionIn(word)
    if (name === undefined) others.push(word)
    else options.push([name, value ?? words[++at] ?? ''])
  }
  return { options, others }
}

/** `--data`, `-d`, or `-sSd` after flags; short ones may have the value behind them. */
function optionIn(word: string): readonly [name?: string, value?: string] {
  const long = /^--([\w-]+)$/.exec(word)?.[1]
  if (long !== undefined) return LONG.test(long) ? [long] : []
  const [, letter = '', value = ''] = /^-[sSkvifgLN46#]*([dHXF])([\s\S]*)$/.exec(word) ?? []
  const name = SHORT[letter]
  if (name === undefined) return []
  return value === '' ? [name] : [name, value]
}

/** A word of a command for a POSIX shell: pieces between quotes and pieces without. */
const WORD = /(?:\$'(?:\\[\s\S]|[^'\\])*'|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^\s'"\\])+/g

const PIECE = /\$'((?:\\[\s\S]|[^'\\])*)'|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])|([^\s'"\\$]+|\$)/g

/** The words of a command as a shell takes them apart. Variables stay as they are written: nobody here knows them. */
function shellWords(command: string): readonly string[] {
  const inOneLine = command.replaceAll(/\\\r?\n/g, ' ')
  return Array.from(inOneLine.matchAll(WORD), ([word]) => word.replaceAll(PIECE, unquoted))
}

function unquoted(_: string, ...[ansi, single, double, escaped, plain]: readonly (string | undefined)[]): string {
  if (ansi !== undefined) return ansi.replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi, fromAnsi)
  return single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? ''
}

const ANSI: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** As browsers write a command that they copy. */
function fromAnsi(_: string, ...[unicode, byte, sign = '']: readonly (string | undefined)[]): string {
  const code = unicode ?? byte
  return code === undefined ? (ANSI[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16))
}
