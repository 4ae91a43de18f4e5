import type { Exchange } from '../transport/transport.ts'

/** Whether a transport gave what it must. One without types may give anything, such as the `null` of an absent header. */
export function isExchange(given: unknown): given is Exchange {
  const { kind, seen, httpStatus, mediaType, body } = Object(given) as Readonly<Record<string, unknown>>
  switch (kind) {
    case 'replied':
      return Number.isInteger(httpStatus) && typeof mediaType === 'string' && typeof body === 'string'
    case 'not-sent':
    case 'lost':
      return typeof seen === 'string'
    default:
      return false
  }
}
