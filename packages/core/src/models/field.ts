import type { Format } from './format.ts'

/**
 * Where a field is from. `stated`: the specification names it. `filled in`: public sources or our own decision, so a
 * profile may respell it. Bounds are always filled in, because the specification shows none.
 */
export interface Origin {
  readonly kind: 'stated' | 'filled in'
  /** Of the specification for a stated name; otherwise of what was filled in, as in the id `G3.1-01`. */
  readonly part: string
  /** The part of the gaps with the bounds. */
  readonly bounds: string
}

/** A field of the interface: one idea with its two spellings. */
export interface Field<In = unknown, Out = unknown> {
  /** The spelling that is sent. */
  readonly wireName: string
  /** Other spellings that are read. */
  readonly aliases: readonly string[]
  readonly format: Format<In, Out>
  readonly origin: Origin
  /** One sentence, with the unit if there is one. */
  readonly meaning: string
}

/** Whether a message must have a field: always, never, or depending on its other fields. */
export type Requirement = 'required' | 'optional' | 'conditional'

/** A field as a model uses it. */
export interface ModelField<In = unknown, Out = unknown, N extends Requirement = Requirement> extends Field<In, Out> {
  readonly necessity: N
  /** When a conditional field is required: completes "required ...". */
  readonly condition?: string
}

/** The specification names the field in `part`; `bounds` is the part of the gaps with its bounds. */
export function stated(part: string, bounds: string): Origin {
  return { kind: 'stated', part, bounds }
}

/** The field is from `part` of the gaps. */
export function filledIn(part: string): Origin {
  return { kind: 'filled in', part, bounds: part }
}

export function field<In, Out>(
  wireName: string,
  format: Format<In, Out>,
  origin: Origin,
  meaning: string,
  aliases: readonly string[] = [],
): Field<In, Out> {
  return { wireName, aliases, format, origin, meaning }
}

/** The same field under another spelling, as some operations have it. The other spellings are still read. */
export function respelled<In, Out>(
  base: Field<In, Out>,
  wireName: string,
  changes: Partial<Pick<Field<In, Out>, 'format' | 'origin' | 'meaning'>> = {},
): Field<In, Out> {
  const aliases = [base.wireName, ...base.aliases].filter((name) => name !== wireName)
  return { ...base, ...changes, wireName, aliases }
}

export function required<In, Out>(base: Field<In, Out>): ModelField<In, Out, 'required'> {
  return { ...base, necessity: 'required' }
}

export function optional<In, Out>(base: Field<In, Out>): ModelField<In, Out, 'optional'> {
  return { ...base, necessity: 'optional' }
}

/** `condition` completes the sentence "required ...", such as "when country is US, CA or AU". */
export function conditional<In, Out>(base: Field<In, Out>, condition: string): ModelField<In, Out, 'conditional'> {
  return { ...base, necessity: 'conditional', condition }
}

/** How a profile respells fields, by model and field. */
export type Respellings = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The names of a model's fields on the wire. */
export interface Spelling {
  /** Each field's name and the spelling that is sent, in the order of the model. */
  readonly sent: readonly (readonly [name: string, wireName: string])[]
  /** The same without the fields whose spelling a later one has taken: as most senders write a form. */
  readonly inOrder: readonly (readonly [name: string, wireName: string])[]
  /** The names by every spelling that is read. */
  readonly read: ReadonlyMap<string, string>
}

type Fields = Readonly<Record<string, ModelField>>

/** The spellings of one model, each made once, and kept as long as its profile is in use: most profiles respell nothing of it. */
export function spellingsOf(model: string, fields: () => Fields): (respellings?: Respellings) => Spelling {
  const known = new WeakMap<object, Spelling>()
  const none = {}
  return (respellings) => {
    const respelled = respellings?.[model] ?? none
    const spelling = known.get(respelled)
    if (spelling !== undefined) return spelling
    const made = spell(fields(), respelled)
    known.set(respelled, made)
    return made
  }
}

function spell(fields: Fields, respelled: Readonly<Record<string, string>>): Spelling {
  const entries = Object.entries(fields)
  const aliases = entries.flatMap(([name, field]) => field.aliases.map((alias) => [alias, name] as const))
  const sent = entries.map(([name, { wireName }]) => [name, respelled[name] ?? wireName] as const)
  const read = new Map([...aliases, ...sent.map(([name, wireName]) => [wireName, name] as const)])
  return { sent, inOrder: sent.filter(([name, wireName]) => read.get(wireName) === name), read }
}
