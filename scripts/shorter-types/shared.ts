/** The compiler writes out what it has inferred, as often as it comes. Here it is written once, and named everywhere else. */
export function shared(declarations: string): string {
  return withGroups(withConstants(declarations))
}

/** `typeof` a constant where its whole type is written again: of a reply that several operations have. */
function withConstants(declarations: string): string {
  const constants = declarations.matchAll(/^export declare const (\w+): (Model<.+>);$/gm)
  return [...constants].reduce((text, [declaration, name, type = '']) => {
    const around = text.split(declaration)
    if (around.length === 1) return text // it is itself `typeof` another by now
    return around.map((part) => part.replaceAll(type, `typeof ${name}`)).join(declaration)
  }, declarations)
}

/** A name for less would make the declarations harder to read, and hardly shorter. */
const LEAST_SAVED = 100

const MEMBER = '(?:"[\\w-]+"|Names\\d+)'
const UNION = new RegExp(`${MEMBER}(?: \\| ${MEMBER})+`, 'g')

/** What several unions have in common gets a name: the fields of the payer, those of the browser. The longest of them first. */
function withGroups(declarations: string, number = 1): string {
  const name = `Names${number}`
  const group = groupThatSavesMost(declarations, name)
  if (group === undefined) return declarations
  const named = declarations.replace(UNION, (union) => {
    const members = union.split(' | ')
    return holds(members, group) ? [name, ...members.filter((each) => !group.includes(each))].join(' | ') : union
  })
  return withGroups(`${named}\n${declarationOf(name, group)}`, number + 1)
}

function groupThatSavesMost(declarations: string, name: string): readonly string[] | undefined {
  const unions = (declarations.match(UNION) ?? []).map((union) => union.split(' | '))
  const common = unions.flatMap((one) => unions.map((other) => one.filter((each) => other.includes(each))))
  const groups = new Map(common.filter(({ length }) => length > 1).map((group) => [group.join(' | '), group]))
  const saved = [...groups].map(([text, group]) => {
    const uses = unions.filter((members) => holds(members, group)).length
    return { group, saved: uses * (text.length - name.length) - declarationOf(name, group).length }
  })
  const [most] = saved.sort((one, other) => other.saved - one.saved)
  return most !== undefined && most.saved >= LEAST_SAVED ? most.group : undefined
}

function declarationOf(name: string, group: readonly string[]): string {
  return `type ${name} = ${group.join(' | ')};\n`
}

function holds(members: readonly string[], group: readonly string[]): boolean {
  return group.every((each) => members.includes(each))
}
