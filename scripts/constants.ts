import { type Program, parseSync, type Statement, type VariableDeclaration, Visitor } from 'oxc-parser'

/**
 * Restores the `const` of the sources in a bundled module. The bundler writes `var`, and a variable that could be assigned to is
 * read anew at each use, which makes a signature a fifth slower. Lines stay where they are, and within a line only the declared
 * names move, so that source maps still fit.
 */
export function withConstants(code: string): string {
  const { program } = parseSync('module.js', code)
  const assigned = assignedNames(program, code)
  let made = ''
  let end = 0
  for (const statement of program.body.filter(isVariable)) {
    const { start, declarations } = statement
    const names = declarations.flatMap(({ id }) => namesIn(id, code))
    const nameEnd = declarations[0]?.id.end
    if (nameEnd === undefined || declarations.some(({ init }) => init === null)) continue
    if (names.some((name) => assigned.has(name))) continue
    made += `${code.slice(end, start)}const${code.slice(start + 'var'.length, nameEnd)}`
    // `const` has two characters more than `var`, `=` two fewer than ` = `.
    const hasSpaces = code.startsWith(' = ', nameEnd)
    made += hasSpaces ? '=' : ''
    end = nameEnd + (hasSpaces ? ' = '.length : 0)
  }
  return made + code.slice(end)
}

function isVariable(statement: Statement): statement is VariableDeclaration {
  return statement.type === 'VariableDeclaration' && statement.kind === 'var'
}

/** All names to which something in the module assigns, in any scope. */
function assignedNames(program: Program, code: string): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (target: Named) => {
    for (const name of namesIn(target, code)) names.add(name)
  }
  new Visitor({
    AssignmentExpression: ({ left }) => add(left),
    UpdateExpression: ({ argument }) => add(argument),
    ForInStatement: ({ left }) => add(left),
    ForOfStatement: ({ left }) => add(left),
  }).visit(program)
  return names
}

interface Named {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The names in a declaration, and every word of a pattern: a wrong one only keeps some variable from becoming a constant. */
function namesIn({ type, start, end }: Named, code: string): readonly string[] {
  return type === 'MemberExpression' ? [] : (code.slice(start, end).match(/[\w$]+/g) ?? [])
}
