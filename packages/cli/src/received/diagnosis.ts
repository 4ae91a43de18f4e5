import { catalogue, decodeRequest, type OperationKey, type Pair, type Profile } from '@tallystick/core'
import { type ControlAuth, describeIssue } from '@tallystick/core/internal'
import type { Explanation } from '@tallystick/signing/internal'

/** What the person who asks knows. */
export interface Known {
  readonly profile: Profile
  /** Asked for only if the request is signed with it. */
  readonly controlKey: () => string
  /** PEM. Asked for only if the request is signed with it. */
  readonly publicKey: () => string
  /** Keys that may have been used instead. */
  readonly otherKeys: readonly string[]
  /** The text that the sender signed, if known. */
  readonly signedText: string | undefined
  /** The merchant's login: a payment does not show it. */
  readonly login: string | undefined
  /** When it arrived, in seconds since 1970. `undefined`: when it says that it was signed. */
  readonly at: number | undefined
}

/** What the doctor says. */
export interface Diagnosis {
  /** The signature in question, in words. */
  readonly what: string
  /** For a signature that no single mistake explains. */
  readonly suspicion: Suspicion
  readonly explanation: Explanation<string>
  /** Why it is refused all the same if its signature is right. */
  readonly refusal: string | undefined
  /** When it says that it was signed, in seconds since 1970, if that was not judged. */
  readonly signedAt?: number | undefined
}

/** Whether it is accepted, as far as the signature and the form tell. */
export function isRight({ explanation, refusal }: Diagnosis): boolean {
  return !explanation.explained && explanation.right && refusal === undefined
}

/** For a right signature that helps nothing. */
export function refusalWords({ refusal }: Diagnosis): string {
  return refusal === undefined ? '' : `it is refused whatever its signature: ${refusal}\n`
}

/** A right signature is refused a second time, and if a clock is wrong: from here nobody sees that. */
export function unjudged(signedAt: number | undefined): readonly string[] {
  if (signedAt === undefined) return []
  const time = new Date(signedAt * 1000).toISOString().replace('.000', '')
  return [`It says that it was signed at ${time}: a gateway takes it once, and if its clock is near that.`]
}

/** What can honestly be said if no single mistake explains a signature. */
export interface Suspicion {
  readonly tried: string
  /** What is left. Nothing here tells which it is. */
  readonly remaining: readonly string[]
  /** What would tell, in a sentence. */
  readonly proof: string
}

const OTHER_KEY = 'the sender has another key: compare the two, or name others with --other-key-file'
const TWO = 'the sender makes two mistakes at once'

/** What is known of a control. */
interface WrongControl {
  /** As it was sent. */
  readonly control: string
  /** Fields that are signed, by their names on the wire. */
  readonly sent: readonly string[]
  /** Those that have no value. */
  readonly unsent: readonly string[]
  /** The id in the path, if that is signed. */
  readonly endpointId: string | undefined
  /** The text that the sender is said to have signed. */
  readonly signedText: string | undefined
}

export function suspicionOfControl({ control, sent, unsent, endpointId, signedText }: WrongControl): Suspicion {
  const tried =
    'amounts in other units; terms in another order, left out, in other letters, with white space; words such as null ' +
    'for empty terms; formulas of other operations; other hashes'
  const proof = proofBy(signedText)
  // What is no SHA-1 accuses no key.
  if (!/^[0-9a-f]{40}$/i.test(control.trim())) {
    const cut = `it was cut or changed: it has ${control.length} characters, not 40 hexadecimal digits`
    const isMasked = /^\W+$/.test(control.trim())
    return { tried, remaining: [isMasked ? 'the log masks the control: find it where it is shown' : cut], proof }
  }
  const absent = unsent.map((name) => `${name} is signed and has no value here: the sender may have signed one`)
  const changed = `${sent.join(' or ')} was changed after it was signed, or the log shows it otherwise`
  const elsewhere = `the sender signed another id than ${endpointId}, which is the one in the path`
  const remaining = [
    OTHER_KEY,
    ...(endpointId === undefined ? [] : [elsewhere]),
    ...(sent.length === 0 ? [] : [changed]),
    ...absent,
    TWO,
  ]
  return { tried, remaining, proof }
}

export function suspicionOfOAuth(url: string, signedText: string | undefined): Suspicion {
  return {
    tried:
      'other ways to encode, to sort and to choose the parameters; other forms of the address; other forms of the key',
    remaining: [
      OTHER_KEY,
      `the sender signed another address than ${url}: give its scheme, host and path prefix with --base-url`,
      'a parameter was changed after it was signed, or the log shows it otherwise',
      TWO,
    ],
    proof: proofBy(signedText),
  }
}

function proofBy(signedText: string | undefined): string {
  return signedText === undefined
    ? 'The text that the sender signed would tell: give it with --signed-text.'
    : 'The text in --signed-text is not what was signed: it has another signature.'
}

/**
 * Why a form is refused whatever its signature, or `undefined`: it gives a field twice, and nobody knows which of the two counts.
 *
 * @param names of the fields, by their wire names. Some fields have more than one, under which they may have one value
 */
export function ambiguity(pairs: readonly Pair[], names: ReadonlyMap<string, string>): string | undefined {
  const values = new Map<string, string>()
  const spellings = new Map<string, Pair>()
  for (const [wireName, value] of pairs) {
    if (values.has(wireName)) return `${wireName} is there twice: send it once`
    values.set(wireName, value)
    const field = names.get(wireName) ?? wireName
    const [other, otherValue] = spellings.get(field) ?? [wireName, value]
    if (otherValue.trim() !== value.trim() && value.trim() !== '')
      return `${other} and ${wireName} are one field, and differ: send one of them`
    if (value.trim() !== '') spellings.set(field, [wireName, value])
  }
  return undefined
}

/**
 * Why a gateway refuses a request before it looks at the control: a field that is signed has a value that no gateway takes, such
 * as an amount with a comma. Nothing is said of other fields, which a log may leave out or mask.
 */
export function unfitTerm(
  key: OperationKey,
  { terms }: ControlAuth,
  pairs: readonly Pair[],
  profile: Profile,
): string | undefined {
  const decoded = decodeRequest(key, pairs, profile)
  if (decoded.ok) return undefined
  const signed = new Set<string>(terms.map((term) => (term === 'amountInCents' ? 'amount' : term)))
  const { read } = catalogue[key].request.spelling(profile.wireNames)
  const given = new Map(pairs.map(([name, value]) => [read.get(name), value.trim()]))
  const unfit = decoded.issues.find(({ field }) => signed.has(field) && (given.get(field) ?? '') !== '')
  if (unfit === undefined) return undefined
  const hint = given.get(unfit.field)?.includes(' ') ? ' In a form a + is a space: send a + as %2B.' : ''
  return describeIssue(unfit) + hint
}
