import { PRINTED_SECRET, REVEAL_IT } from '../keys/masked-key.ts'
import { type ControlEvidence, keyPiece, type Piece, piecesOf, sentText } from './control-evidence.ts'
import { signDecoded, TERM_MISTAKES, type TermCause, type TermMistake } from './term-mistakes.ts'
import { inOtherCases, KEEP_CASE_OF_KEY, permutations, TRIM_KEY, VALUE_ENCODINGS, withExtraSpace } from './variants.ts'

/** Why a control was wrong. */
export type ControlCause =
  | TermCause
  | 'different-text'
  | 'field-added'
  | 'formula-of-other-operation'
  | 'hmac-for-hash'
  | 'key-case-changed'
  | 'key-left-out'
  | 'key-with-white-space'
  | 'term-left-out'
  | 'terms-separated'
  | 'wrong-hash'
  | 'wrong-key'
  | 'wrong-order'

/** What a particular mistake would have hashed. */
export type ControlTry = { readonly cause: ControlCause; readonly advice: string; readonly pieces: readonly Piece[] }

/** What people put between terms. */
const SEPARATORS = ['|', ',', ':', ' ', ';', '&', '+', '-', '_', '.', '\n']

/**
 * Every try of every single mistake. Some change nothing, which is known to be wrong. Where two mistakes give one text, the
 * first is named: white space between the last term and the key, say, counts as the term's, unless it is between all, and a sale
 * without its amount is no verification: what was called is known.
 */
export function* controlTries(evidence: ControlEvidence): Generator<ControlTry> {
  const pieces = piecesOf(evidence)
  const right = `sign the terms ${evidence.formula.join(', ')}, then the key`
  yield* separatedTries(pieces, right)
  for (const mistake of TERM_MISTAKES) yield* termTries(mistake, evidence, pieces)
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
