import { isProtocolName } from '../oauth/oauth-header.ts'
import type { Parameter } from '../oauth/parameters.ts'
import { percentEncode } from '../oauth/percent.ts'
import { type Recipe, type RecipeMistake, sortedBy } from './recipe.ts'
import {
  encodeAsForm,
  encodeAsPhp,
  encodeComponent,
  encodeDoubly,
  encodeInLowerCase,
  encodeNothing,
  encodeTilde,
  encodeWithPlus,
  trimFirst,
  withExtraSpace,
} from './variants.ts'

/** What can go wrong in choosing the parameters. */
export type ParameterCause =
  | 'body-not-counted'
  | 'empty-token-signed'
  | 'empty-value-left-out'
  | 'oauth-counted-twice'
  | 'oauth-not-counted'
  | 'query-left-out'
  | 'value-not-trimmed'

/** Mistakes of what is among the parameters. */
export const PARAMETER_MISTAKES: readonly RecipeMistake<ParameterCause>[] = [
  {
    cause: 'query-left-out',
    advice: 'sign the parameters of the query too',
    changes: () => [{ query: [] }],
  },
  {
    cause: 'body-not-counted',
    advice: 'sign the parameters of the body too: the content type is application/x-www-form-urlencoded',
    changes: () => [{ body: [] }],
  },
  {
    cause: 'oauth-counted-twice',
    advice: 'sign each oauth_* parameter once, also when it is in the header and in the body',
    changes: ({ protocol }) => [{ protocol: [...protocol, ...protocol] }],
  },
  {
    cause: 'oauth-not-counted',
    advice: 'sign every oauth_* parameter of the header but oauth_signature',
    changes: ({ protocol }) => [
      { protocol: [] },
      ...protocol.map((_pair, at) => ({ protocol: protocol.toSpliced(at, 1) })),
    ],
  },
  {
    cause: 'empty-token-signed',
    advice: 'sign no oauth_token: it is not sent, because this interface has no token',
    changes: ({ protocol }) => [{ protocol: [...protocol, ['oauth_token', '']] }],
  },
  {
    cause: 'empty-value-left-out',
    advice: 'a parameter that is sent with an empty value is signed as name=: leave it out of both or of neither',
    changes: ({ query, body }) => [{ query: query.filter(isFilled), body: body.filter(isFilled) }],
  },
  {
    cause: 'value-not-trimmed',
    advice: trimFirst('a value'),
    changes: (recipe) => [trimmed(recipe), ...strayed(recipe, 'body'), ...strayed(recipe, 'query')],
  },
]

function isFilled([, value]: Parameter): boolean {
  return value !== ''
}

function trimmed({ query, body }: Recipe): Partial<Recipe> {
  const trim = (pairs: readonly Parameter[]) => pairs.map(([name, value]): Parameter => [name, value.trim()])
  return { query: trim(query), body: trim(body) }
}

/** One value at a time. */
function strayed(recipe: Recipe, part: 'body' | 'query'): Partial<Recipe>[] {
  return recipe[part].flatMap(([name, value], at) =>
    withExtraSpace(value).map((variant) => ({ [part]: recipe[part].with(at, [name, variant]) })),
  )
}

/** What can go wrong in encoding and sorting. */
export type EncodingCause =
  | 'double-encoding'
  | 'lower-case-escapes'
  | 'missing-encoding'
  | 'plus-for-space'
  | 'sorted-before-encoding'
  | 'tilde-escaped'
  | 'unescaped-reserved'
  | 'wrong-order'

/** Mistakes of encoding and of sorting. Form encoding makes the first two as well, so it is named if a space shows it. */
export const ENCODING_MISTAKES: readonly RecipeMistake<EncodingCause>[] = [
  {
    cause: 'unescaped-reserved',
    advice: "encode ! ' ( ) * as well: encodeURIComponent leaves them as they are",
    changes: () => inside(encodeComponent),
  },
  {
    cause: 'tilde-escaped',
    advice: 'leave ~ as it is: RFC 3986 does not reserve it',
    changes: () => inside(encodeTilde),
  },
  {
    cause: 'plus-for-space',
    advice:
      'encode a space as %20: form encoding, which makes it a +, is right in the body and wrong in what is signed',
    changes: () => [encodeWithPlus, encodeAsPhp, encodeAsForm].flatMap(inside),
  },
  {
    cause: 'lower-case-escapes',
    advice: 'write the digits of percent escapes in upper case: %2F, not %2f',
    changes: () => inside(encodeInLowerCase),
  },
  {
    cause: 'double-encoding',
    advice: 'give names and values as they are: they were percent-encoded once before the signature encoded them',
    changes: ({ query, body }) => [...inside(encodeDoubly), ...encodedEarly(query, body)],
  },
  {
    cause: 'missing-encoding',
    advice: 'encode names and values, join them, then encode the URL and the joined string as a whole',
    changes: () => inside(encodeNothing),
  },
  {
    cause: 'sorted-before-encoding',
    advice: 'encode names and values first and sort what comes out, by name and then by value',
    changes: () => [
      { arrange: (pairs) => sortedBy(pairs, nameOf, textOf) },
      { arrange: (pairs) => sortedBy(pairs, nameOf) },
    ],
  },
  {
    cause: 'wrong-order',
    advice: 'sort all parameters together by encoded name, and equal names by encoded value',
    changes: () => orders,
  },
]

function nameOf([name]: Parameter): string {
  return name
}

function textOf([, value]: Parameter): string {
  return value
}

/** The wrong encoding for names and values, for the two parts, and for both. */
function inside(encode: Recipe['encode']): Partial<Recipe>[] {
  return [{ encode }, { encode, encodePart: encode }, { encodePart: encode }]
}

/** The business pairs were encoded already, the protocol's were not. */
function encodedEarly(query: readonly Parameter[], body: readonly Parameter[]): Partial<Recipe>[] {
  const early = (pairs: readonly Parameter[]) =>
    pairs.map(([name, value]): Parameter => [percentEncode(name), percentEncode(value)])
  return [{ body: early(body) }, { query: early(query) }, { body: early(body), query: early(query) }]
}

/** The parameters of the form and those of the protocol, each sorted for themselves. */
function apart(pairs: readonly Parameter[], encode: Recipe['encode']): (readonly Parameter[])[] {
  return [false, true].map((isProtocol) =>
    sortedBy(
      pairs.filter(([name]) => isProtocolName(name) === isProtocol),
      ([name]) => encode(name),
      ([, value]) => encode(value),
    ),
  )
}

const orders: readonly Partial<Recipe>[] = [
  { arrange: (pairs) => pairs },
  { arrange: (pairs) => sortedBy(pairs, ([name]) => percentEncode(name)) },
  { arrange: (pairs) => sortedBy(pairs, ([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`) },
  { arrange: (pairs) => sortedBy(pairs, ([name]) => name.toLowerCase(), nameOf, textOf) },
  { arrange: (pairs, encode) => apart(pairs, encode).flat() },
  { arrange: (pairs, encode) => apart(pairs, encode).toReversed().flat() },
]
