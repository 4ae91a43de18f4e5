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
export interface WrongControl {
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
