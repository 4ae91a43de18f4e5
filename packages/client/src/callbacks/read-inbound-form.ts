import { type FormLimits, MalformedFormError, type Pair, parseForm, REQUEST_LIMITS } from '@tallystick/core'
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

/** @throws MalformedFormError also when a parser found a name twice (it makes a list or an object of it) */
function inboundPairs({ method, query, body }: Inbound): readonly Pair[] {
  if (method === 'GET') return parseForm(query, CALLBACK_LIMITS)
  return typeof body === 'string' ? parseForm(body, CALLBACK_LIMITS) : parsedPairs(body ?? {})
}

function parsedPairs(body: Readonly<Record<string, unknown>>): readonly Pair[] {
  const { maxPairs, maxBytes } = CALLBACK_LIMITS
  const entries = Object.entries(body)
  if (entries.length > maxPairs) {
    throw new MalformedFormError('too-many-pairs', `The form has more than ${maxPairs} pairs.`)
  }
  const pairs = entries.map(([name, value]): Pair => [name, oneText(value)])
  if (lengthOf(pairs) > maxBytes) {
    throw new MalformedFormError('too-large', `The form is larger than ${maxBytes} bytes; send less.`)
  }
  return pairs
}

/** Of the texts alone: a form that was too large only by its escapes is parsed already. */
function lengthOf(pairs: readonly Pair[]): number {
  return pairs.reduce((length, [name, value]) => length + name.length + value.length, 0)
}

function oneText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new MalformedFormError('repeated-name', 'A parameter came twice or is not a text; send each once.')
}
