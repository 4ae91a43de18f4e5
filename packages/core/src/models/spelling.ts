import type { ModelField } from './field.ts'

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

/** The spellings of one model, each made once, and kept as long as its profile is in use. */
export function spellingsOf(model: string, fields: () => Fields): (respellings?: Respellings) => Spelling {
  const known = new WeakMap<Respellings, Spelling>()
  const none: Respellings = {}
  return (respellings = none) => {
    const spelling = known.get(respellings)
    if (spelling !== undefined) return spelling
    const made = spell(fields(), respellings[model] ?? {})
    known.set(respellings, made)
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
