/** The compiler writes out an inferred type each time that it occurs. This writes it once, and names it everywhere else. */
export function shared(declarations: string): string {
  return withGroups(withConstants(declarations))
}

/** Replaces repetitions of a constant's type, such as a reply that several operations have, by `typeof` the constant. */
function withConstants(declarations: string): string {
  const constants = declarations.matchAll(/^export declare const (\w+): (Model<.+>);$/gm)
  return [...constants].reduce((text, [declaration, name, type = '']) => {
    const around = text.split(declaration)
    if (around.length === 1) return text // its own type is `typeof` another one by now
    return around.map((part) => part.replaceAll(type, `typeof ${name}`)).join(declaration)
  }, declarations)
}

/** In bytes. A name that saves less would make the declarations harder to read, and hardly shorter. */
const LEAST_SAVED = 100

const MEMBER = '(?:"[\\w-]+"|Names\\d+)'
const UNION = new RegExp(`${MEMBER}(?: \\| ${MEMBER})+`, 'g')

/** Names what several unions have in common, such as the fields of the payer or the browser. What saves most comes first. */
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
