/** One option, as a reader of its interface sees it. */
export interface Option {
  readonly name: string
  /** As the table shows it. */
  readonly type: string
  readonly isRequired: boolean
  /** Options of which one has to be given if this one is not. */
  readonly alternatives: readonly string[]
  /** The text of its doc comment; empty if there is none. */
  readonly doc: string
}

/** The options of an intersection: all of these groups apply at once. */
export function allOf(groups: ReadonlyArray<readonly Option[]>): readonly Option[] {
  return merge(groups, (sameName) => ({
    type: joined(sameName.map(alone), 'type', ' & '),
    isRequired: sameName.some(({ isRequired }) => isRequired),
    alternatives: sameName.flatMap(({ alternatives }) => alternatives),
  }))
}

/** The options of a union: one of these groups applies. */
export function oneOf(groups: ReadonlyArray<readonly Option[]>): readonly Option[] {
  return merge(groups, (sameName) => ({
    type: joined(sameName, 'type', ' | '),
    isRequired: sameName.length === groups.length && sameName.every(({ isRequired }) => isRequired),
    alternatives: sameName.flatMap((option) => [...option.alternatives, ...alternativesTo(option, groups)]),
  }))
}

/** The options that the groups without this one require instead. */
function alternativesTo({ name, isRequired }: Option, groups: ReadonlyArray<readonly Option[]>): readonly string[] {
  if (!isRequired) return []
  const without = groups.filter((group) => !group.some((each) => each.name === name))
  const own = groups.filter((group) => !without.includes(group)).flat()
  return without
    .flat()
    .filter((other) => other.isRequired && !own.some((each) => each.name === other.name))
    .map((other) => other.name)
}

/** The option with its type in parentheses if it needs them beside others in an intersection. */
function alone(option: Option, _: number, sameName: readonly Option[]): Option {
  const isAlone = sameName.every(({ type }) => type === option.type)
  return !isAlone && option.type.includes(' | ') ? { ...option, type: `(${option.type})` } : option
}

type Judge = (sameName: readonly Option[]) => Pick<Option, 'type' | 'isRequired' | 'alternatives'>

function merge(groups: ReadonlyArray<readonly Option[]>, judge: Judge): readonly Option[] {
  const byName = Map.groupBy(groups.flat(), ({ name }) => name)
  return [...byName].map(([name, sameName]) => ({ name, ...judge(sameName), doc: joined(sameName, 'doc', ' ') }))
}

function joined(options: readonly Option[], part: 'type' | 'doc', separator: string): string {
  return [...new Set(options.map((option) => option[part]))].filter((text) => text !== '').join(separator)
}
