import { createHmac, hash } from 'node:crypto'
import { controlText, verifyControl } from '../control/control.ts'
import { PRINTED_SECRET, REVEAL_IT } from '../keys/masked-key.ts'
import { type ControlEvidence, keyPiece, type Piece, piecesOf, sentText } from './control-evidence.ts'
import { differingPart, type Explanation, explained, type Finding, maskSensitive } from './explanation.ts'
import { NOTHING, signDecoded, signNothing, TERM_MISTAKES, type TermCause, type TermMistake } from './term-mistakes.ts'
import {
  inOtherCases,
  inQuotes,
  KEEP_CASE_OF_KEY,
  KEEP_HYPHENS_OF_KEY,
  permutations,
  TRIM_KEY,
  UNQUOTE_KEY,
  VALUE_ENCODINGS,
  withExtraSpace,
  withoutHyphens,
} from './variants.ts'

/** Whole bytes, and nothing after them. */
const HEX = /^(?:[0-9a-f]{2})*$/i
/** What senders use instead of SHA-1 in hexadecimal digits; each hash also as an HMAC. */
const HASHES = ['sha1', 'md5', 'sha224', 'sha256', 'sha384', 'sha512']

/**
 * Names the mistake behind a refused control, as `explainOAuth` does behind a refused signature.
 *
 * A wrong key can only be named if it is among `otherKeys`, or if the sender's own text is given.
 *
 * @throws {SigningError} `BAD_KEY` when the key is empty.
 * @see Specification part 5.1; the mistakes are those of gaps parts 7.1 and 11
 */
export function explainControl(evidence: ControlEvidence): Explanation<ControlCause> {
  const pieces = piecesOf(evidence)
  const terms = pieces.slice(0, -1).map(({ text }) => text)
  const text = controlText({ terms, key: evidence.key })
  if (verifyControl({ terms, key: evidence.key, control: evidence.control }).ok)
    return { explained: false, right: true }
  const secrets = [evidence.key, ...(evidence.otherKeys ?? [])]
  const finding = findTry(evidence) ?? findHash(evidence, text) ?? findText(evidence, text)
  if (finding === undefined) return { explained: false, right: false, expected: maskSensitive(shown(pieces), secrets) }
  return explained({ ...finding, expected: shown(pieces) }, secrets)
}

type ControlFinding = Omit<Finding<ControlCause>, 'expected'>

function findTry(evidence: ControlEvidence): ControlFinding | undefined {
  const control = evidence.control.toLowerCase()
  for (const { cause, advice, pieces } of controlTries(evidence)) {
    if (hash('sha1', joined(pieces), 'hex') === control) return { cause, advice, received: shown(pieces) }
  }
  return undefined
}

function findHash({ control, key }: ControlEvidence, right: string): ControlFinding | undefined {
  // A plus of base64 arrives as a space if the form was not encoded.
  const received = [
    ['hex', Buffer.from(HEX.test(control) ? control : '', 'hex')],
    ['base64', Buffer.from(control.replaceAll(' ', '+'), 'base64')],
  ] as const
  const encodingOf = (digest: Uint8Array) => received.find(([, bytes]) => bytes.equals(digest))?.[0]
  for (const name of HASHES) {
    const encoding = encodingOf(hash(name, right, 'buffer'))
    if (encoding !== undefined) {
      const advice = `the control is SHA-1 in 40 hexadecimal digits, not ${name} in ${encoding}`
      return { cause: 'wrong-hash', advice, received: undefined }
    }
    const macs = [right.slice(0, -key.length), right].map((text) => createHmac(name, key).update(text).digest())
    if (macs.some(encodingOf)) {
      const advice = 'the control is the plain SHA-1 of the terms and the key, not an HMAC with the key'
      return { cause: 'hmac-for-hash', advice, received: undefined }
    }
  }
  return undefined
}

/** If the control is that of the sender's own text, no try explains it, but the place of the difference is known. */
function findText({ theirText, control, key }: ControlEvidence, right: string): ControlFinding | undefined {
  if (theirText === undefined || hash('sha1', theirText, 'hex') !== control.toLowerCase()) return undefined
  const rightTerms = right.slice(0, -key.length)
  if (theirText.startsWith(rightTerms) && !theirText.endsWith(key)) {
    const advice = 'the terms are right and the key is not: configure the control key of this merchant'
    return { cause: 'wrong-key', advice, received: `${rightTerms}[another key]` }
  }
  const advice = 'the text that was signed is not the one of the formula: compare both at the marked part'
  return { cause: 'different-text', advice, received: withoutKey(theirText, key, right) }
}

/** A text that ends with our key is shown without it; in any other, what follows the first difference may be a key. */
function withoutKey(text: string, key: string, right: string): string {
  if (text.endsWith(key)) return `${text.slice(0, -key.length)}[key]`
  return `${text.slice(0, differingPart(right, text)?.start)}[what follows may hold a key]`
}

function joined(pieces: ControlTry['pieces']): string {
  return pieces.map(({ text }) => text).join('')
}

function shown(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.shown ?? piece.text).join('')
}

/** Why a control was wrong. */
export type ControlCause =
  | TermCause
  | 'different-text'
  | 'field-added'
  | 'formula-of-other-operation'
  | 'hmac-for-hash'
  | 'key-case-changed'
  | 'key-in-quotes'
  | 'key-left-out'
  | 'key-with-white-space'
  | 'term-left-out'
  | 'terms-separated'
  | 'wrong-hash'
  | 'wrong-key'
  | 'wrong-order'

/** What a particular mistake would have hashed. */
type ControlTry = { readonly cause: ControlCause; readonly advice: string; readonly pieces: readonly Piece[] }

/** What people put between terms. */
const SEPARATORS = ['|', ',', ':', ' ', ';', '&', '+', '-', '_', '.', '\n']

/**
 * Every try of every single mistake. Some change nothing, which is known to be wrong. Where two mistakes give one text, the
 * first is named: white space between the last term and the key, say, counts as the term's, unless it is between all, and a sale
 * without its amount is no verification: what was called is known.
 */
function* controlTries(evidence: ControlEvidence): Generator<ControlTry> {
  const pieces = piecesOf(evidence)
  const right = `sign the terms ${evidence.formula.join(', ')}, then the key`
  yield* separatedTries(pieces, right)
  for (const mistake of TERM_MISTAKES) yield* termTries(mistake, evidence, pieces)
  yield* absentTries(pieces)
  yield* keyTries(evidence, pieces)
  yield* encodedTries(pieces)
  for (const [at, { name }] of pieces.entries()) {
    const cause = name === 'key' ? 'key-left-out' : 'term-left-out'
    yield { cause, advice: `${name} was left out: ${right}`, pieces: pieces.toSpliced(at, 1) }
  }
  for (const [name, formula] of Object.entries(evidence.otherFormulas ?? {})) {
    const advice = `this is the formula of ${name}: ${right}`
    yield { cause: 'formula-of-other-operation', advice, pieces: piecesOf(evidence, formula) }
  }
  yield* additionTries(evidence, pieces, right)
  const advice = `the order is another: ${right}`
  for (const order of permutations(pieces)) yield { cause: 'wrong-order', advice, pieces: order }
}

function* termTries(mistake: TermMistake, evidence: ControlEvidence, pieces: readonly Piece[]): Generator<ControlTry> {
  for (const [at, piece] of pieces.entries()) {
    if (piece.rule === undefined) continue
    const { rule } = piece
    const term = { ...piece, rule, sent: rule.reads === 'path' ? evidence.path.id : sentText(evidence, rule.field) }
    for (const text of mistake.texts(term, evidence)) {
      yield { cause: mistake.cause, advice: mistake.advice(term), pieces: pieces.with(at, { ...term, text }) }
    }
  }
}

function* keyTries({ key, otherKeys = [] }: ControlEvidence, pieces: readonly Piece[]): Generator<ControlTry> {
  const withKey = (text: string, shown: string) => pieces.with(-1, keyPiece(text, shown))
  yield { cause: 'wrong-key', advice: REVEAL_IT, pieces: withKey(PRINTED_SECRET, PRINTED_SECRET) }
  for (const other of otherKeys) {
    const advice = 'this is another key: configure the control key of this merchant in this environment'
    yield { cause: 'wrong-key', advice, pieces: withKey(other, '[another key]') }
  }
  for (const other of withExtraSpace(key)) {
    yield { cause: 'key-with-white-space', advice: TRIM_KEY, pieces: withKey(other, '[key with other white space]') }
  }
  for (const other of inOtherCases(key)) {
    yield { cause: 'key-case-changed', advice: KEEP_CASE_OF_KEY, pieces: withKey(other, '[key in another case]') }
  }
  for (const other of withoutHyphens(key)) {
    yield { cause: 'hyphens-removed', advice: KEEP_HYPHENS_OF_KEY, pieces: withKey(other, '[key without hyphens]') }
  }
  for (const other of inQuotes(key)) {
    yield { cause: 'key-in-quotes', advice: UNQUOTE_KEY, pieces: withKey(other, '[key in quotes]') }
  }
}

/** Several absent terms at once: a program prints each alike. */
function* absentTries(pieces: readonly Piece[]): Generator<ControlTry> {
  const absent = pieces.find(({ text, rule }) => text === '' && rule !== undefined)
  if (absent?.rule === undefined) return
  const advice = signNothing(absent.name, absent.rule)
  for (const text of NOTHING) {
    const printed = pieces.map((piece) => (piece.text === '' ? { ...piece, text } : piece))
    yield { cause: 'absent-term-not-empty', advice, pieces: printed }
  }
}

/** All terms encoded at once. */
function* encodedTries(pieces: readonly Piece[]): Generator<ControlTry> {
  for (const encode of VALUE_ENCODINGS) {
    const encoded = pieces.map((piece) => (piece.rule === undefined ? piece : { ...piece, text: encode(piece.text) }))
    yield { cause: 'value-encoded', advice: signDecoded('each value'), pieces: encoded }
  }
}

/** Terms with something between them, and perhaps before the key. A single piece of white space counts as a term's. */
function* separatedTries(pieces: readonly Piece[], right: string): Generator<ControlTry> {
  const advice = `put nothing between the terms: ${right}`
  for (const text of SEPARATORS) {
    const separated = pieces.flatMap((piece) => [{ name: text, text }, piece]).slice(1)
    yield { cause: 'terms-separated', advice, pieces: separated }
    if (pieces.length > 3 || text.trim() !== '')
      yield { cause: 'terms-separated', advice, pieces: separated.toSpliced(-2, 1) }
  }
}

/** What is known of the request and no term. Shown by its name, because it may be a card's. */
function* additionTries(evidence: ControlEvidence, pieces: readonly Piece[], right: string): Generator<ControlTry> {
  const known = Object.keys({ ...evidence.fields, ...evidence.rules })
  const others = piecesOf(
    evidence,
    known.filter((name) => !evidence.formula.includes(name)),
  )
  for (const { name, text } of others.slice(0, -1)) {
    const added = { name, text, shown: `[${name}]` }
    const advice = `${name} is no term of this formula: ${right}`
    for (const at of pieces.keys()) yield { cause: 'field-added', advice, pieces: pieces.toSpliced(at, 0, added) }
  }
}
