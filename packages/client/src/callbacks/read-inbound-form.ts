import {
  callbackDecides,
  type FormLimits,
  MalformedFormError,
  type Pair,
  parseCallbackForm,
  REQUEST_LIMITS,
} from '@tallystick/core'
import type { Inbound } from './handler.ts'

const CALLBACK_LIMITS: FormLimits = { ...REQUEST_LIMITS, maxPairs: 100 }

/**
 * Reads the parameters of a callback: from the query for GET, from the form for POST, whatever body parser ran before. Anybody can
 * send what is no form: the error is a value.
 */
export function readInboundForm<Read>(
  inbound: Inbound,
  read: (pairs: readonly Pair[]) => Read,
): Read | MalformedFormError {
  try {
    return read(inboundPairs(inbound))
  } catch (error) {
    if (error instanceof MalformedFormError) return error
    throw error
  }
}

function inboundPairs({ method, query, body }: Inbound): readonly Pair[] {
  if (method === 'GET') return pairsIn(query)
  return typeof body === 'string' ? pairsIn(body) : parsedPairs(body ?? {})
}

function pairsIn(text: string): readonly Pair[] {
  return parseCallbackForm(text, CALLBACK_LIMITS).map(
    ([name, value]): Pair => [inCharacters(name), inCharacters(value)],
  )
}

/** Servers hand over raw bytes as characters (Latin-1). Those that are no UTF-8 stay what they are then. */
function inCharacters(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

/** What a parser made of the form: a list of a name that came twice, an object of names with brackets. */
function parsedPairs(body: Readonly<Record<string, unknown>>): readonly Pair[] {
  const { maxPairs, maxBytes } = CALLBACK_LIMITS
  const pairs = Object.entries(body).flatMap(([name, value]) => textsOf(name, value))
  if (pairs.length > maxPairs) {
    throw new MalformedFormError('too-many-pairs', `The form has more than ${maxPairs} pairs.`)
  }
  if (lengthOf(pairs) > maxBytes) {
    throw new MalformedFormError('too-large', `The form is larger than ${maxBytes} bytes; send less.`)
  }
  return pairs
}

/** Of the texts alone: a form that was too large only by its escapes is parsed already. */
function lengthOf(pairs: readonly Pair[]): number {
  return pairs.reduce((length, [name, value]) => length + name.length + value.length, 0)
}

/** What decides must be one text: a list may be a name that came twice, or one with brackets. Any other value counts as absent. */
function textsOf(name: string, value: unknown): readonly Pair[] {
  if (typeof value === 'string') return [[name, value]]
  if (!callbackDecides(name)) return []
  throw new MalformedFormError('repeated-name', 'A parameter came twice or is not a text; send each once.')
}
