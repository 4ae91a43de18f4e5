/** How the text of one term of a control formula is read from what was sent. */
export type ControlTermRule =
  | {
      /** The id in the path, of the endpoint or of the group. */
      readonly reads: 'path'
    }
  | {
      /** A field as it was sent; an absent or blank one gives `''`. */
      readonly reads: 'field'
      readonly field: string
      /** Also empty if this other field is absent: the currency without an amount. */
      readonly onlyWith?: string | undefined
    }
  | {
      /** An amount, sent in major units with a dot and signed in minor units. */
      readonly reads: 'amount'
      readonly field: string
      /** Decimals of the currency. 2 unless given: the specification says cents. */
      readonly decimals?: number | undefined
    }

/** The terms of an operation's formula, in order, by names that `rules` explains. The key is not among them. */
export type ControlFormula = readonly string[]

/** A request with a control, and what its receiver or its sender knows about it. */
export type ControlEvidence = {
  /** The formula of the operation that was called. */
  readonly formula: ControlFormula
  /** The formulas of other operations, by the name that the advice mentions. */
  readonly otherFormulas?: Readonly<Record<string, ControlFormula>> | undefined
  /** How each term is read. A term without a rule reads the field of its own name. */
  readonly rules: Readonly<Record<string, ControlTermRule>>
  /** The fields as they were sent, decoded once and otherwise raw, by the names that the rules use. */
  readonly fields: Readonly<Record<string, string>>
  /** What the path names, its id there, and the id of the other kind if it is known. */
  readonly path: { readonly kind: 'endpoint' | 'group'; readonly id: string; readonly otherId?: string | undefined }
  /** The merchant's login, if it is known and was not sent. */
  readonly login?: string | undefined
  /** The merchant control key. */
  readonly key: string
  /** Keys that may have been used instead: the sandbox's, another endpoint's, the previous one. */
  readonly otherKeys?: readonly string[] | undefined
  /** What an absent field may have been signed as, by field: the order id that the gateway stored, the first amount. */
  readonly absentValues?: Readonly<Record<string, readonly string[]>> | undefined
  /** The `control` that was sent. */
  readonly control: string
  /** The text that the sender hashed, key included, if they shared it. */
  readonly theirText?: string | undefined
}

/** One piece of the text that is hashed: a term, or the key. */
export type Piece = {
  readonly name: string
  readonly text: string
  /** What to show instead: only the key has one. */
  readonly shown?: string | undefined
  readonly rule?: ControlTermRule | undefined
}

/** The pieces that a formula asks for, key last. @see Specification part 5.1 */
export function piecesOf(evidence: ControlEvidence, formula: ControlFormula = evidence.formula): Piece[] {
  const terms = formula.map((name): Piece => {
    const rule = ownValue(evidence.rules, name) ?? { reads: 'field', field: name }
    return { name, text: termText(evidence, rule), rule }
  })
  return [...terms, keyPiece(evidence.key, '[key]')]
}

export function keyPiece(key: string, shown: string): Piece {
  return { name: 'key', text: key, shown }
}

/** The field as it was sent, `''` when it is absent. */
export function sentText({ fields }: ControlEvidence, field: string): string {
  return ownValue(fields, field) ?? ''
}

/** The value of an own property: a stranger's field may have the name of an inherited one. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function termText(evidence: ControlEvidence, rule: ControlTermRule): string {
  if (rule.reads === 'path') return evidence.path.id
  const sent = sentText(evidence, rule.field)
  if (rule.reads === 'amount') return minorUnits(sent.trim(), rule.decimals ?? 2)
  const isLeftOut = rule.onlyWith !== undefined && sentText(evidence, rule.onlyWith).trim() === ''
  return isLeftOut || sent.trim() === '' ? '' : sent
}

/** Shifts the decimal point in the text; anything else stays as it is. @see gaps part 7.1 (no floats) */
function minorUnits(amount: string, decimals: number): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(amount) ?? []
  if (whole === '' || fraction.length > decimals) return amount
  return (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '')
}
