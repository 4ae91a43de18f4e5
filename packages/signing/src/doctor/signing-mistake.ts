import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { PRINTED_SECRET, REVEAL_IT } from '../keys/masked-key.ts'
import { rsaPublicKey, rsaPublicKeyMaterial } from '../keys/rsa-public-key.ts'
import type { OAuthHeader } from '../oauth/oauth-header.ts'
import { percentEncode } from '../oauth/percent.ts'
import { ADDRESS_MISTAKES, type AddressCause } from './address-mistakes.ts'
import type { Finding } from './explanation.ts'
import { ENCODING_MISTAKES, type EncodingCause, PARAMETER_MISTAKES, type ParameterCause } from './parameter-mistakes.ts'
import { cook, type KeyEvidence, type OAuthEvidence, type Recipe, type RecipeMistake } from './recipe.ts'
import {
  inOtherCases,
  inQuotes,
  KEEP_CASE_OF_KEY,
  KEEP_HYPHENS_OF_KEY,
  TRIM_KEY,
  UNQUOTE_KEY,
  withExtraSpace,
  withoutHyphens,
} from './variants.ts'

/** What can go wrong in making a signature. */
export type SigningCause = AddressCause | EncodingCause | KeyCause | ParameterCause | 'different-base-string'

type SigningFinding = Finding<SigningCause>

/** The choice of parameters comes last: white space is tried at every value. */
const MISTAKES: readonly RecipeMistake<SigningCause>[] = [
  ...ENCODING_MISTAKES,
  ...ADDRESS_MISTAKES,
  ...PARAMETER_MISTAKES,
]

/** What trying the mistakes found. */
type Search = {
  readonly finding?: SigningFinding | undefined
  /** Set if there were too many to try them all. */
  readonly isCutShort?: true
}

/**
 * The most work for one request, in characters of the base strings that are made: a fraction of a second. Any refused sender can
 * cause it, and a long form has thousands of mistakes.
 */
const MOST_WORK = 20_000_000
/** What else a try costs, in characters: splitting and sorting the pairs, checking the signature. */
const WORK_OF_A_TRY = 10_000

/** The single mistake that makes the received signature, if there is one. */
export function findSigningMistake(evidence: OAuthEvidence, recipe: Recipe, { signature }: OAuthHeader): Search {
  const ofKey = findKeyMistake(evidence, cook(recipe), signature)
  if (ofKey !== undefined) return { finding: ofKey }
  const fits = rightFits(evidence, signature)
  const search = findRecipeMistake(evidence, recipe, fits)
  return { ...search, finding: search.finding ?? compareTheirs(evidence, cook(recipe), fits) }
}

/** A mistake of the key or the algorithm, with the right base string. */
export function findKeyMistake(
  evidence: OAuthEvidence,
  baseString: string,
  signature: string,
): SigningFinding | undefined {
  const found = keyTries(evidence, signature).find(({ fits }) => fits(baseString))
  return found && { cause: found.cause, advice: found.advice, expected: baseString, received: baseString }
}

function findRecipeMistake(evidence: OAuthEvidence, recipe: Recipe, fits: Fits): Search {
  const expected = cook(recipe)
  let work = 0
  for (const { cause, advice, changes } of MISTAKES) {
    for (const change of changes(recipe, evidence)) {
      const received = cook({ ...recipe, ...change })
      if (fits(received)) return { finding: { cause, advice, expected, received } }
      work += WORK_OF_A_TRY + received.length
      if (work > MOST_WORK) return { isCutShort: true }
    }
  }
  return {}
}

/** What the sender's own base string proves beyond the tries. */
function compareTheirs(
  { theirBaseString: received }: OAuthEvidence,
  expected: string,
  fits: Fits,
): SigningFinding | undefined {
  if (received === expected) {
    const advice = 'the base string is right and the signature is not of it: sign with the key of this merchant'
    return { cause: 'wrong-key', advice, expected, received }
  }
  if (received === undefined || !fits(received)) return undefined
  const advice = 'the signature is right for another base string: compare both at the marked part'
  return { cause: 'different-base-string', advice, expected, received }
}

/** Whether the received signature is one of this base string, under one key and one algorithm. */
type Fits = (baseString: string) => boolean

/** What can go wrong with the key or the algorithm, while the base string is right. */
type KeyCause =
  | 'hyphens-removed'
  | 'key-case-changed'
  | 'key-in-quotes'
  | 'key-not-encoded'
  | 'key-with-white-space'
  | 'missing-ampersand'
  | 'wrong-key'
  | 'wrong-method'

/** A way to sign the right base string wrongly. */
type KeyTry = { readonly cause: KeyCause; readonly advice: string; readonly fits: Fits }

const ADVICE: Readonly<Record<KeyCause, string>> = {
  'hyphens-removed': KEEP_HYPHENS_OF_KEY,
  'key-case-changed': KEEP_CASE_OF_KEY,
  'key-in-quotes': UNQUOTE_KEY,
  'key-not-encoded': 'percent-encode the secret before the & is added to it',
  'key-with-white-space': TRIM_KEY,
  'missing-ampersand': 'the HMAC key is the secret and then an &, although the token secret after it is empty',
  'wrong-key': 'this is another key: configure the key of this merchant in this environment',
  'wrong-method': 'sign with the algorithm that oauth_signature_method names, which is the one of the operation',
}

/** The right way to sign. */
function rightFits(evidence: KeyEvidence, signature: string): Fits {
  return evidence.method === 'HMAC-SHA1'
    ? hmac('sha1', hmacText(evidence.secret), signature)
    : rsa('sha256', publicKeyObject(evidence.publicKey), signature)
}

/** Every wrong one. */
function keyTries(evidence: KeyEvidence, signature: string): KeyTry[] {
  const isHmac = evidence.method === 'HMAC-SHA1'
  const tries = isHmac ? hmacTries(evidence, signature) : rsaTries(evidence, signature)
  const known = tries.map(([cause, fits]): KeyTry => ({ cause, advice: ADVICE[cause], fits }))
  if (!isHmac) return known
  return [{ cause: 'wrong-key', advice: REVEAL_IT, fits: hmac('sha1', hmacText(PRINTED_SECRET), signature) }, ...known]
}

type Tries = [KeyCause, Fits][]

function hmacTries({ secret, otherSecrets = [] }: KeyEvidence & { method: 'HMAC-SHA1' }, signature: string): Tries {
  const keyed = (cause: KeyCause, texts: readonly string[]): Tries =>
    texts.map((text) => [cause, hmac('sha1', text, signature)])
  return [
    ...keyed('missing-ampersand', [percentEncode(secret), secret]),
    ...keyed('key-not-encoded', [`${secret}&`]),
    ...keyed('wrong-key', otherSecrets.map(hmacText)),
    ...keyed(
      'key-with-white-space',
      withExtraSpace(secret).flatMap((text) => [hmacText(text), `${text}&`]),
    ),
    ...keyed('key-case-changed', inOtherCases(secret).map(hmacText)),
    ...keyed('hyphens-removed', withoutHyphens(secret).map(hmacText)),
    ...keyed('key-in-quotes', inQuotes(secret).map(hmacText)),
    ...['sha256', 'sha512', 'md5'].map((name): Tries[number] => [
      'wrong-method',
      hmac(name, hmacText(secret), signature),
    ]),
    ['wrong-method', () => signature === hmacText(secret)],
  ]
}

function rsaTries(evidence: KeyEvidence & { method: 'RSA-SHA256' }, signature: string): Tries {
  const key = publicKeyObject(evidence.publicKey)
  return [
    ...(evidence.otherPublicKeys ?? []).map((pem): Tries[number] => [
      'wrong-key',
      rsa('sha256', publicKeyObject(pem), signature),
    ]),
    ...['sha1', 'sha512', 'sha384'].map((name): Tries[number] => ['wrong-method', rsa(name, key, signature)]),
  ]
}

function hmacText(secret: string): string {
  return `${percentEncode(secret)}&`
}

function publicKeyObject(pem: string): KeyObject {
  return rsaPublicKeyMaterial(rsaPublicKey(pem)).key
}

function hmac(name: string, keyText: string, signature: string): Fits {
  const received = Buffer.from(signature, 'base64')
  return (baseString) => {
    const expected = createHmac(name, keyText).update(baseString).digest()
    return expected.length === received.length && timingSafeEqual(expected, received)
  }
}

function rsa(name: string, key: KeyObject, signature: string): Fits {
  const received = Buffer.from(signature, 'base64')
  return (baseString) => verify(name, Buffer.from(baseString), key, received)
}
