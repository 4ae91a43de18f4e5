import { type ControlEvidence, type ControlTermRule, ownValue, type Piece } from './control-evidence.ts'
import { inOtherCases, trimFirst, VALUE_ENCODINGS, withExtraSpace, withoutHyphens } from './variants.ts'

/** What can go wrong with a single term of a control. */
export type TermCause =
  | 'absent-term-not-empty'
  | 'amount-by-float'
  | 'amount-in-units'
  | 'amount-point-removed'
  | 'endpoint-for-group'
  | 'group-for-endpoint'
  | 'hyphens-removed'
  | 'login-for-endpoint'
  | 'value-case-changed'
  | 'value-encoded'
  | 'value-not-trimmed'

/** A piece that a rule was read by: any but the key. */
type Term = Piece & {
  readonly rule: ControlTermRule
  /** The field, or the id in the path, as it was sent. */
  readonly sent: string
}

/** The texts that one mistake may have made of one term. */
export type TermMistake = {
  readonly cause: TermCause
  advice(term: Term): string
  texts(term: Term, evidence: ControlEvidence): readonly string[]
}

/** What runtimes and databases print for an absent value. */
export const NOTHING = 'undefined null None NULL nil NaN false 0 0.0 0.00 000 [] {} N/A'.split(' ')

/** What Python and .NET print after a whole number, and an error of rounding. */
const FLOAT_ENDS = ['.0', '.00', '.0000000000001']

/** Mistakes of one term. Where two make one text, the first is named. */
export const TERM_MISTAKES: readonly TermMistake[] = [
  {
    cause: 'absent-term-not-empty',
    advice: ({ name, rule }) => signNothing(name, rule),
    texts: (term, evidence) => (term.text === '' ? [...absentValues(term, evidence), ...NOTHING] : []),
  },
  {
    cause: 'amount-in-units',
    advice: ({ name }) => `sign ${name} in minor units: 10.42 is signed as 1042`,
    texts: (term) =>
      amountTexts(term, (sent, value) => [sent, value.toString(), value.toFixed(2), Math.trunc(value).toString()]),
  },
  {
    cause: 'amount-point-removed',
    advice: ({ name }) => `shift the point of ${name} by its decimals and drop leading zeros: 10.5 is 1050, 0.94 is 94`,
    texts: (term) => amountTexts(term, (sent, value) => [sent.replace('.', ''), value.toFixed(2).replace('.', '')]),
  },
  {
    cause: 'amount-by-float',
    advice: ({ name }) => `shift the point of ${name} on the text: as a float, 19.99 * 100 is 1998.9999999999998`,
    texts: (term) =>
      amountTexts(term, (_sent, value, scale) => [
        Math.trunc(value * scale).toString(),
        (value * scale).toString(),
        ...FLOAT_ENDS.map((end) => Math.round(value * scale) + end),
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
    cause: 'login-for-endpoint',
    advice: ({ name }) => `${name} is the id in the path: sign it and not the login`,
    texts: (term, { login, fields }) => otherIds(term, login ?? ownValue(fields, 'login')),
  },
  {
    cause: 'value-not-trimmed',
    advice: ({ name }) => trimFirst(name),
    // A field of white space alone counts as absent; it may have been signed as it was.
    texts: ({ sent, text }) => [...(sent.trim() === '' ? [sent] : []), ...withExtraSpace(text)],
  },
  {
    cause: 'value-case-changed',
    advice: ({ name }) => `sign ${name} in the case in which it is sent`,
    texts: ({ text }) => inOtherCases(text),
  },
  {
    cause: 'hyphens-removed',
    advice: ({ name }) => `sign ${name} with its hyphens, as it is sent`,
    texts: ({ text }) => withoutHyphens(text),
  },
  {
    cause: 'value-encoded',
    advice: ({ name }) => signDecoded(name),
    texts: ({ text }) => VALUE_ENCODINGS.map((encode) => encode(text)),
  },
]

export function signDecoded(name: string): string {
  return `${name} was percent-encoded before it was signed: sign @ and not %40`
}

export function signNothing(name: string, rule: ControlTermRule): string {
  return `${whyEmpty(name, rule)}, so its term is an empty text: sign '' in its place`
}

/** A field may have been sent that counts only with another: the currency without an amount. */
function whyEmpty(name: string, rule: ControlTermRule): string {
  const other = rule.reads === 'field' ? rule.onlyWith : undefined
  return other === undefined ? `${name} was not sent` : `${name} counts only beside ${other}, which was not sent`
}

function absentValues({ rule, sent }: Term, { absentValues = {} }: ControlEvidence): readonly string[] {
  if (rule.reads === 'path') return []
  return [...(sent.trim() === '' ? [] : [sent]), ...(ownValue(absentValues, rule.field) ?? [])]
}

function amountTexts(
  { rule, sent }: Term,
  texts: (sent: string, value: number, scale: number) => readonly string[],
): readonly string[] {
  if (rule.reads !== 'amount' || Number.isNaN(Number(sent))) return []
  return texts(sent.trim(), Number(sent), 10 ** (rule.decimals ?? 2))
}

function otherIds({ rule }: Term, otherId: string | undefined): readonly string[] {
  return rule.reads === 'path' && otherId ? [otherId] : []
}
