import { type JsonLimits, membersOf } from './flat-json.ts'
import { type FormLimits, type Pair, parseForm, serializeForm } from './form.ts'
import { scanJson } from './scan-json.ts'

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

/**
 * The names and values of a reply in either format, or `undefined` if the text is no such reply: a page of a proxy, nothing, a
 * part, one with a name twice. Numbers keep the digits that arrived, however long (conflict C2). White space at the ends of
 * names and values is dropped, and so is white space or a byte order mark in front.
 */
export function parseReplyText(text: string): readonly Pair[] | undefined {
  const body = text.trimStart()
  return body.startsWith('{') ? parseJson(body) : parseClassic(body)
}

function parseJson(text: string): readonly Pair[] | undefined {
  if (text.length > REPLY_LIMITS.maxBytes) return undefined
  const pairs = scanJson(text, JSON_LIMITS.maxMembers)
  if (pairs !== undefined) return pairs
  const plain = plainJson(text)
  return plain && trimmed(plain)
}

/** Gateways end values with a line feed (gaps parts 2.1 and 11): the family's own clients trim them in either format. */
function trimmed(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.map(([name, value]): Pair => [name.trim(), value.trim()])
}

/** The pairs of any JSON object. */
export function plainJson(text: string): readonly Pair[] | undefined {
  try {
    const members = membersOf(text, JSON_LIMITS)
    if (members === undefined) return undefined
    const entries = Object.entries(parseKeepingDigits(text))
    // A name came twice: the parser keeps the last, but which one is right is not known.
    if (entries.length < members) return undefined
    return entries.flatMap(([name, value]): Pair[] => {
      if (value === null) return []
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
    })
  } catch {
    return undefined
  }
}

/** Where a number outside of a text may stand. Most replies have none (conflict C2), and are read several times faster. */
const MAY_HOLD_NUMBER = /[:[,]\s*-?\d/

function parseKeepingDigits(text: string): object {
  return MAY_HOLD_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

/** A number becomes the text that stood in the document: `JSON.parse` would round an id beyond 2^53. */
function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value
}

/** Every reply of the family names its type: a text without one is no reply, though it looks like a form. */
function parseClassic(text: string): readonly Pair[] | undefined {
  try {
    const pairs = trimmed(parseForm(wholePairs(text), REPLY_LIMITS))
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
