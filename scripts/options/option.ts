/** One option, as a reader of its interface sees it. */
export interface Option {
  readonly name: string
  /** As the table shows it. */
  readonly type: string
  readonly isRequired: boolean
  /** Options one of which has to be given where this one is not. */
  readonly alternatives: readonly string[]
  /** The text of its doc comment; empty where there is none. */
  readonly doc: string
}

/** All of these groups hold at once. */
export function allOf(groups: ReadonlyArray<readonly Option[]>): readonly Option[] {
  return merge(groups, (sameName) => ({
    type: joined(sameName.map(alone), 'type', ' & '),
    isRequired: sameName.some(({ isRequired }) => isRequired),
    alternatives: sameName.flatMap(({ alternatives }) => alternatives),
  }))
}

/** One of these groups holds. */
export function oneOf(groups: ReadonlyArray<readonly Option[]>): readonly Option[] {
  return merge(groups, (sameName) => ({
    type: joined(sameName, 'type', ' | '),
    isRequired: sameName.length === groups.length && sameName.every(({ isRequired }) => isRequired),
    alternatives: sameName.flatMap((option) => [...option.alternatives, ...alternativesTo(option, groups)]),
  }))
}

/** What the groups without it insist on in its place. */
function alternativesTo({ name, isRequired }: Option, groups: ReadonlyArray<readonly Option[]>): readonly string[] {
  if (!isRequired) return []
  const without = groups.filter((group) => !group.some((each) => each.name === name))
  const own = groups.filter((group) => !without.includes(group)).flat()
  return without
    .flat()
    .filter((other) => other.isRequired && !own.some((each) => each.name === other.name))
    .map((other) => other.name)
}

/** Its type as it stands beside others in an intersection. */
function alone(option: Option, _: number, { length }: readonly Option[]): Option {
  return length > 1 && option.type.includes(' | ') ? { ...option, type: `(${option.type})` } : option
}

type Judge = (sameName: readonly Option[]) => Pick<Option, 'type' | 'isRequired' | 'alternatives'>

function merge(groups: ReadonlyArray<readonly Option[]>, judge: Judge): readonly Option[] {
  const byName = Map.groupBy(groups.flat(), ({ name }) => name)
  return [...byName].map(([name, sameName]) => ({ name, ...judge(sameName), doc: joined(sameName, 'doc', ' ') }))
}

function joined(options: readonly Option[], part: 'type' | 'doc', separator: string): string {
  return [...new Set(options.map((option) => option[part]))].filter((text) => text !== '').join(separator)
}
