import type { OAuthHeader } from '../oauth/oauth-header.ts'
import { ADDRESS_MISTAKES, type AddressCause } from './address-mistakes.ts'
import { ENCODING_MISTAKES, type EncodingCause } from './encoding-mistakes.ts'
import type { Finding } from './explanation.ts'
import type { OAuthEvidence } from './oauth-evidence.ts'
import { PARAMETER_MISTAKES, type ParameterCause } from './parameter-mistakes.ts'
import { cook, type Recipe } from './recipe.ts'
import type { RecipeMistake } from './recipe-mistake.ts'
import { type Fits, type KeyCause, keyTries, rightFits } from './signature-fits.ts'

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
export type Search = {
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
