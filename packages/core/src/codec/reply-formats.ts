import { type FormLimits, type Pair, parseOpenForm, serializeForm } from './form.ts'
import { isQuoted, type JsonLimits, membersOf, repairText, scanJson } from './json.ts'

/** The two formats of replies: JSON, and the classic form whose values end with a line feed. */
export type ReplyFormat = 'json' | 'classic'

export const REPLY_MEDIA_TYPES: Readonly<Record<ReplyFormat, string>> = {
  json: 'application/vnd.pay+json',
  classic: 'text/html;charset=utf-8',
}

/** Replies may hold a page (`html`), so they may be larger than requests. What is larger still is no reply. */
const REPLY_LIMITS: FormLimits = { maxPairs: 500, maxBytes: 1_048_576 }

/** Replies are flat: a document that nests deeper, or has more members and elements, is none. */
const JSON_LIMITS: JsonLimits = { maxDepth: 8, maxMembers: REPLY_LIMITS.maxPairs }

/** Whether the value of this wire name decides what a reply means: it is read strictly. */
type Decides = (wireName: string) => boolean

/**
 * The names and values of a reply in either format, or `undefined` if the text is no such reply: a page of a proxy, nothing, a
 * part, one whose deciding values do not decode. Any other value that does not decode is kept as it can be. Numbers keep the
 * digits that arrived, however long (conflict C2). White space at the ends of names and values is dropped, and so is white space or
 * a byte order mark in front.
 */
export function parseReplyText(text: string, decides: Decides): readonly Pair[] | undefined {
  const body = text.trimStart()
  return body.startsWith('{') ? parseJson(body, decides) : parseClassic(body, decides)
}

function parseJson(text: string, decides: Decides): readonly Pair[] | undefined {
  if (text.length > REPLY_LIMITS.maxBytes) return undefined
  const pairs = scanJson(text, JSON_LIMITS.maxMembers)
  if (pairs !== undefined) return pairs
  const plain = plainJson(text, decides)
  return plain && trimmed(plain)
}

/** Gateways end values with a line feed (gaps parts 2.1 and 11): the family's own clients trim them in either format. */
function trimmed(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.map(([name, value]): Pair => [name.trim(), value.trim()])
}

/** The pairs of any JSON object. */
export function plainJson(text: string, decides: Decides): readonly Pair[] | undefined {
  const members = membersOf(text, JSON_LIMITS)
  const pairs: Pair[] = []
  for (const [quotedName, raw] of members ?? []) {
    const name = parsed(quotedName) ?? (isQuoted(quotedName) ? repairText(quotedName) : undefined)
    if (typeof name !== 'string') return undefined
    const value = parsed(raw)
    if (value === null) continue
    if (value === undefined && (raw === '' || decides(name.trim()))) return undefined
    pairs.push([name, typeof value === 'string' ? value : value === undefined ? textIn(raw) : JSON.stringify(value)])
  }
  return members && pairs
}

function parsed(json: string): unknown {
  try {
    return parseKeepingDigits(json)
  } catch {
    return undefined
  }
}

/** A value that is no JSON, such as `True`, or a text with a raw line feed or another wrong escape. */
function textIn(raw: string): string {
  return isQuoted(raw) ? repairText(raw) : raw
}

/** Where a number outside of a text may stand. Most replies have none (conflict C2), and are read several times faster. */
const MAY_HOLD_NUMBER = /(?:^|[:[,])\s*-?\d/

function parseKeepingDigits(text: string): unknown {
  return MAY_HOLD_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

/** A number becomes the text that stood in the document: `JSON.parse` would round an id beyond 2^53. */
function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value
}

/** A form begins with a name. In a page, the address of a link may be one, as in `<a href="/login?next=%2F&type=error">`. */
const BEGINS_AS_FORM = /^[\w.%+&[\]-]*=/

/** Every reply of the family names its type: a text without one is no reply, though it looks like a form. */
function parseClassic(text: string, decides: Decides): readonly Pair[] | undefined {
  if (!BEGINS_AS_FORM.test(text)) return undefined
  try {
    const pairs = trimmed(parseOpenForm(wholePairs(text), REPLY_LIMITS, decides))
    return pairs.some(([name]) => name === 'type') ? pairs : undefined
  } catch {
    return undefined
  }
}

/**
 * A classic reply without its last pair, if only that one lacks the line feed at its end: the reply may be cut there, and
 * part of an order id must not pass for an order id.
 */
function wholePairs(text: string): string {
  const end = text.slice(text.trimEnd().length)
  const isCut = text.includes('\n&') && !end.includes('\n')
  return isCut ? text.slice(0, text.lastIndexOf('&')) : text
}

/** Writes a reply: a flat JSON object of texts, or the classic form with a line feed after each value. */
export function writeReplyText(pairs: readonly Pair[], format: ReplyFormat): string {
  return format === 'json'
    ? JSON.stringify(Object.fromEntries(pairs))
    : pairs.map((pair) => `${serializeForm([pair])}\n`).join('&')
}
