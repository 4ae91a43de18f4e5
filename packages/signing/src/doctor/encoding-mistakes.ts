import type { Parameter } from '../oauth/parameter.ts'
import { percentEncode } from '../oauth/percent-encode.ts'
import { type Recipe, sortedBy } from './recipe.ts'
import type { RecipeMistake } from './recipe-mistake.ts'
import {
  encodeAsForm,
  encodeAsPhp,
  encodeComponent,
  encodeInLowerCase,
  encodeNothing,
  encodeTilde,
  encodeTwice,
  encodeWithPlus,
} from './wrong-encodings.ts'

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
    changes: ({ query, body }) => [...inside(encodeTwice), ...encodedEarly(query, body)],
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

const orders: readonly Partial<Recipe>[] = [
  { arrange: (pairs) => pairs },
  { arrange: (pairs) => sortedBy(pairs, ([name]) => percentEncode(name)) },
  { arrange: (pairs) => sortedBy(pairs, ([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`) },
  { arrange: (pairs) => sortedBy(pairs, ([name]) => name.toLowerCase(), nameOf, textOf) },
]
