import { isProtocolName, type OAuthHeader, signedParameters } from '../oauth/oauth-header.ts'
import type { Parameter } from '../oauth/parameters.ts'
import { percentEncode } from '../oauth/percent.ts'
import { requireRequestUrl } from '../oauth/request-url.ts'
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

/** One mistake in making a base string: which parts of the recipe it may have changed, and into what. */
export type RecipeMistake<Cause extends string> = {
  readonly cause: Cause
  readonly advice: string
  changes(recipe: Recipe, evidence: OAuthEvidence): readonly Partial<Recipe>[]
}

/** The keys as text, because some mistakes are made with the text. */
export type KeyEvidence =
  | {
      readonly method: 'HMAC-SHA1'
      /** The merchant control key, without the `&`. */
      readonly secret: string
      /** Secrets that may have been used instead: the sandbox's, another merchant's, the previous one. */
      readonly otherSecrets?: readonly string[] | undefined
    }
  | {
      readonly method: 'RSA-SHA256'
      /** PEM, as the merchant supplied it. */
      readonly publicKey: string
      /** Other public keys of the merchant, one of which may belong to the private key that signed. PEM. */
      readonly otherPublicKeys?: readonly string[] | undefined
      /** PEM of the merchant's private key, if the doctor runs at the merchant's end. */
      readonly privateKey?: string | undefined
    }

/** A signed request that was refused, and what its receiver or its sender knows about it. */
export type OAuthEvidence = KeyEvidence &
  SignableRequest & {
    /** The `Authorization` header as it arrived. */
    readonly authorization: string
    /** The time of the refusal in seconds since 1970. */
    readonly now: number
    /** As for `verifyOAuth`. 300 unless given. */
    readonly windowSeconds?: number | undefined
    /** Whether the replay guard knew the nonce already. */
    readonly isNonceSeen?: boolean | undefined
    /** URLs that the sender may have signed instead of `url`: in front of a proxy, the sandbox's, another host name. */
    readonly otherUrls?: readonly string[] | undefined
    /** The signature base string that the sender made, if they shared it. */
    readonly theirBaseString?: string | undefined
  }
