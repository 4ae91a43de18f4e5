import { percentEncode } from './percent-encode.ts'
import { requireHttpMethod } from './signature-base-string.ts'

/** The method and the URL of requests, as a base string begins with them. No query, and so nothing of a body, is in them. */
type Beginning = { readonly httpMethod: string; readonly baseStringUri: string; readonly bytes: Uint8Array }

/** The beginnings that were made last. A key holds them: its requests go to few places. */
export type RequestBeginnings = { readonly made: Beginning[]; next: number }

const MAX_BEGINNINGS = 16

/** No beginnings yet. */
export function noBeginnings(): RequestBeginnings {
  return { made: [], next: 0 }
}

/**
 * The bytes with which a base string begins: the method in upper case and the URL, encoded, with their two `&`.
 *
 * A fast path: encoding them takes half as long as SHA-1 of the whole base string does.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when the method is not an HTTP token.
 */
export function beginningFor(beginnings: RequestBeginnings, httpMethod: string, baseStringUri: string): Uint8Array {
  for (const made of beginnings.made) {
    if (made.baseStringUri === baseStringUri && made.httpMethod === httpMethod) return made.bytes
  }
  const method = requireHttpMethod(httpMethod).toUpperCase()
  const bytes = Buffer.from(`${percentEncode(method)}&${percentEncode(baseStringUri)}&`)
  beginnings.made[beginnings.next] = { httpMethod, baseStringUri, bytes }
  beginnings.next = (beginnings.next + 1) % MAX_BEGINNINGS
  return bytes
}
