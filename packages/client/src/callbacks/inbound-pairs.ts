import { type FormLimits, MalformedFormError, type Pair, parseForm, REQUEST_LIMITS } from '@tallystick/core'
import type { Inbound } from './exchange.ts'

const CALLBACK_LIMITS: FormLimits = { ...REQUEST_LIMITS, maxPairs: 100 }

/**
 * The parameters of a callback: of the query for GET, of the form for POST, whatever body parser ran before.
 *
 * @throws MalformedFormError when they are no form, or a parser found a name twice (it makes a list or an object of it)
 */
export function inboundPairs({ method, query, body }: Inbound): readonly Pair[] {
  if (method === 'GET') return parseForm(query, CALLBACK_LIMITS)
  return typeof body === 'string' ? parseForm(body, CALLBACK_LIMITS) : parsedPairs(body ?? {})
}

function parsedPairs(body: Readonly<Record<string, unknown>>): readonly Pair[] {
  const entries = Object.entries(body)
  if (entries.length > CALLBACK_LIMITS.maxPairs) {
    throw new MalformedFormError('too-many-pairs', `The form has more than ${CALLBACK_LIMITS.maxPairs} pairs.`)
  }
  return entries.map(([name, value]) => [name, oneText(value)])
}

function oneText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new MalformedFormError('repeated-name', 'A parameter came twice or is not a text; send each once.')
}
