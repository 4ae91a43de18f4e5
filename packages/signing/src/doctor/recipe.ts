import { requireRequestUrl } from '../oauth/base-string-uri.ts'
import { isProtocolName, type OAuthHeader, signedParameters } from '../oauth/oauth-header.ts'
import type { Parameter } from '../oauth/parameter.ts'
import { percentEncode } from '../oauth/percent-encode.ts'
import type { SignableRequest } from '../oauth/signature-base-string.ts'

/**
 * How a base string is cooked, with everything that senders get wrong as a part of its own: a mistake is the recipe with
 * one part changed.
 */
export type Recipe = {
  readonly httpMethod: string
  readonly uri: string
  readonly query: readonly Parameter[]
  readonly body: readonly Parameter[]
  /** The `oauth_*` pairs, without the signature. */
  readonly protocol: readonly Parameter[]
  /** Encodes a name or a value. */
  readonly encode: (text: string) => string
  /** Brings the pairs, still raw, into order. */
  readonly arrange: (pairs: readonly Parameter[], encode: (text: string) => string) => readonly Parameter[]
  /** Encodes the URL, and then the parameter string as a whole. */
  readonly encodePart: (text: string) => string
}

/** The right recipe of a request. @see RFC 5849 section 3.4.1 */
export function recipeOf(request: SignableRequest, header: OAuthHeader): Recipe {
  const { baseStringUri, parameters } = requireRequestUrl(request.url)
  const isBusiness = ([name]: Parameter) => !isProtocolName(name)
  return {
    httpMethod: request.httpMethod.toUpperCase(),
    uri: baseStringUri,
    query: parameters.filter(isBusiness),
    body: request.parameters.filter(isBusiness),
    protocol: signedParameters(header),
    encode: percentEncode,
    arrange: byEncodedPair,
    encodePart: percentEncode,
  }
}

/** The base string that a recipe makes. */
export function cook({ httpMethod, uri, query, body, protocol, encode, arrange, encodePart }: Recipe): string {
  const parameters = arrange([...query, ...body, ...protocol], encode)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  return [httpMethod, encodePart(uri), encodePart(parameters)].join('&')
}

/** The right order: by encoded name, then by encoded value. */
function byEncodedPair(pairs: readonly Parameter[], encode: (text: string) => string): readonly Parameter[] {
  return sortedBy(
    pairs,
    ([name]) => encode(name),
    ([, value]) => encode(value),
  )
}

/** Sorted by one key after the other, in the order of code units. Sorting is stable, so the last key goes first. */
export function sortedBy(
  pairs: readonly Parameter[],
  ...keys: readonly ((pair: Parameter) => string)[]
): readonly Parameter[] {
  return keys.reduceRight(sortedByOne, pairs)
}

function sortedByOne(pairs: readonly Parameter[], keyOf: (pair: Parameter) => string): readonly Parameter[] {
  return pairs
    .map((pair) => ({ pair, key: keyOf(pair) }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ pair }) => pair)
}
