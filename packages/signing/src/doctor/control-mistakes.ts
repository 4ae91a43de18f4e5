import {
  type ControlEvidence,
  type ControlTermRule,
  keyPiece,
  ownValue,
  type Piece,
  piecesOf,
  sentText,
} from './control-evidence.ts'
import { permutations } from './permutations.ts'
import { TRIM_KEY, trimFirst, withStraySpace } from './white-space.ts'

/** Why a control was wrong. */
export type ControlCause =
  | 'absent-term-not-empty'
  | 'amount-by-float'
  | 'amount-in-units'
  | 'amount-point-removed'
  | 'different-text'
  | 'endpoint-for-group'
  | 'formula-of-other-operation'
  | 'group-for-endpoint'
  | 'key-left-out'
  | 'key-with-white-space'
  | 'term-left-out'
  | 'value-case-changed'
  | 'value-not-trimmed'
  | 'wrong-hash'
  | 'wrong-key'
  | 'wrong-order'

/** What a particular mistake would have hashed. */
export type ControlTry = { readonly cause: ControlCause; readonly advice: string; readonly pieces: readonly Piece[] }

/** A piece that a rule was read by: any but the key. */
type Term = Piece & { readonly rule: ControlTermRule }

/** The texts that one mistake may have made of one term. */
type TermMistake = {
  readonly cause: ControlCause
  advice(term: Term): string
  texts(term: Term, evidence: ControlEvidence): readonly string[]
}

/** What runtimes and databases print for an absent value. */
const NOTHING = ['undefined', 'null', 'None', 'NULL', 'nil', 'NaN', 'false', '0', '0.00', '000', '[]', '{}', 'N/A']

const TERM_MISTAKES: readonly TermMistake[] = [
  {
    cause: 'absent-term-not-empty',
    advice: ({ name, rule }) => `${whyEmpty(name, rule)}, so its term is an empty text: sign '' in its place`,
    texts: (term, evidence) => (term.text === '' ? [...absentValues(term, evidence), ...NOTHING] : []),
  },
  {
    cause: 'amount-in-units',
    advice: ({ name }) => `sign ${name} in minor units: 10.42 is signed as 1042`,
    texts: (term, evidence) =>
      amountTexts(term, evidence, (sent, value) => [
        sent,
        value.toString(),
        value.toFixed(2),
        Math.trunc(value).toString(),
      ]),
  },
  {
    cause: 'amount-point-removed',
    advice: ({ name }) => `shift the point of ${name} by its decimals and drop leading zeros: 10.5 is 1050, 0.94 is 94`,
    texts: (term, evidence) =>
      amountTexts(term, evidence, (sent, value) => [sent.replace('.', ''), value.toFixed(2).replace('.', '')]),
  },
  {
    cause: 'amount-by-float',
    advice: ({ name }) => `shift the point of ${name} on the text: as a float, 19.99 * 100 is 1998.9999999999998`,
    texts: (term, evidence) =>
      amountTexts(term, evidence, (_sent, value, scale) => [
        Math.trunc(value * scale).toString(),
        (value * scale).toString(),
      ]),
  },
  {
    cause: 'endpoint-for-group',
    advice: () => 'the path names a group, so sign the id of the group and not that of an endpoint',
    texts: (term, { path }) => (path.kind === 'group' ? otherIds(term, path.otherId) : []),
  },
  {
    cause: 'group-for-endpoint',
    advice: () => 'the path names an endpoint, so sign the id of the endpoint and not that of its group',
    texts: (term, { path }) => (path.kind === 'endpoint' ? otherIds(term, path.otherId) : []),
  },
  {
    cause: 'value-not-trimmed',
    advice: ({ name }) => trimFirst(name),
    texts: (term, evidence) => [...sentBlank(term, evidence), ...withStraySpace(term.text)],
  },
  {
    cause: 'value-case-changed',
    advice: ({ name }) => `sign ${name} in the case in which it is sent`,
    texts: ({ text }) => [text.toLowerCase(), text.toUpperCase()],
  },
]

/**
 * Every try of every single mistake. Some change nothing, which is known to be wrong. Where two mistakes give one text, the
 * first is named: white space between the last term and the key, say, counts as the term's, and a sale without its amount is no
 * verification: what was called is known.
 */
export function* controlTries(evidence: ControlEvidence): Generator<ControlTry> {
  const pieces = piecesOf(evidence)
  for (const mistake of TERM_MISTAKES) yield* termTries(mistake, evidence, pieces)
  yield* keyTries(evidence, pieces)
  const right = `sign the terms ${evidence.formula.join(', ')}, then the key`
  for (const [at, { name }] of pieces.entries()) {
    const cause = name === 'key' ? 'key-left-out' : 'term-left-out'
    yield { cause, advice: `${name} was left out: ${right}`, pieces: pieces.toSpliced(at, 1) }
  }
  for (const [name, formula] of Object.entries(evidence.otherFormulas ?? {})) {
    const advice = `this is the formula of ${name}: ${right}`
    yield { cause: 'formula-of-other-operation', advice, pieces: piecesOf(evidence, formula) }
  }
  const advice = `the order is another: ${right}`
  for (const order of permutations(pieces)) yield { cause: 'wrong-order', advice, pieces: order }
}

function* termTries(mistake: TermMistake, evidence: ControlEvidence, pieces: readonly Piece[]): Generator<ControlTry> {
  for (const [at, piece] of pieces.entries()) {
    if (piece.rule === undefined) continue
    const term = { ...piece, rule: piece.rule }
    for (const text of mistake.texts(term, evidence)) {
      yield { cause: mistake.cause, advice: mistake.advice(term), pieces: pieces.with(at, { ...term, text }) }
    }
  }
}

function* keyTries({ key, otherKeys = [] }: ControlEvidence, pieces: readonly Piece[]): Generator<ControlTry> {
  const withKey = (text: string, shown: string) => pieces.with(-1, keyPiece(text, shown))
  for (const other of otherKeys) {
    const advice = 'this is another key: configure the control key of this merchant in this environment'
    yield { cause: 'wrong-key', advice, pieces: withKey(other, '[another key]') }
  }
  for (const other of withStraySpace(key)) {
    yield { cause: 'key-with-white-space', advice: TRIM_KEY, pieces: withKey(other, '[key with other white space]') }
  }
}

/** A field may have been sent that counts only with another: the currency without an amount. */
function whyEmpty(name: string, rule: ControlTermRule): string {
  const other = rule.reads === 'field' ? rule.onlyWith : undefined
  return other === undefined ? `${name} was not sent` : `${name} counts only beside ${other}, which was not sent`
}

function absentValues({ rule }: Term, evidence: ControlEvidence): readonly string[] {
  if (rule.reads === 'path') return []
  const sent = sentText(evidence, rule.field)
  return [...(sent.trim() === '' ? [] : [sent]), ...(ownValue(evidence.absentValues ?? {}, rule.field) ?? [])]
}

function amountTexts(
  { rule }: Term,
  evidence: ControlEvidence,
  texts: (sent: string, value: number, scale: number) => readonly string[],
): readonly string[] {
  if (rule.reads !== 'amount') return []
  const sent = sentText(evidence, rule.field).trim()
  return Number.isNaN(Number(sent)) ? [] : texts(sent, Number(sent), 10 ** (rule.decimals ?? 2))
}

function otherIds({ rule }: Term, otherId: string | undefined): readonly string[] {
  return rule.reads === 'path' && otherId !== undefined ? [otherId] : []
}

/** A field of white space alone counts as absent; it may have been signed as it was. */
function sentBlank({ rule }: Term, evidence: ControlEvidence): readonly string[] {
  if (rule.reads === 'path') return []
  const sent = sentText(evidence, rule.field)
  return sent.trim() === '' ? [sent] : []
}
