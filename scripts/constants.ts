import { parseSync, type Statement, type VariableDeclaration, Visitor } from 'oxc-parser'

/**
 * A bundled module with `const` where its sources have it. The bundler makes `var` of that, and what could be assigned to is
 * fetched anew at each use: a signature takes a fifth longer. No line moves, and in it only the names themselves do, so that
 * source maps hold.
 */
export function withConstants(code: string): string {
  const { program } = parseSync('module.js', code)
  const assigned = assignedNames(code)
  let made = ''
  let end = 0
  for (const statement of program.body.filter(isVariable)) {
    const { start, declarations } = statement
    const names = declarations.flatMap(({ id }) => namesIn(id, code))
    const nameEnd = declarations[0]?.id.end
    if (nameEnd === undefined || declarations.some(({ init }) => init === null)) continue
    if (names.some((name) => assigned.has(name))) continue
    made += `${code.slice(end, start)}const${code.slice(start + 'var'.length, nameEnd)}`
    // Two characters more before it, two fewer behind it.
    const hasSpaces = code.startsWith(' = ', nameEnd)
    made += hasSpaces ? '=' : ''
    end = nameEnd + (hasSpaces ? ' = '.length : 0)
  }
  return made + code.slice(end)
}

function isVariable(statement: Statement): statement is VariableDeclaration {
  return statement.type === 'VariableDeclaration' && statement.kind === 'var'
}

/** Those that anything in the module assigns to, whatever it names there. */
function assignedNames(code: string): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (target: Named) => {
    for (const name of namesIn(target, code)) names.add(name)
  }
  new Visitor({
    AssignmentExpression: ({ left }) => add(left),
    UpdateExpression: ({ argument }) => add(argument),
    ForInStatement: ({ left }) => add(left),
    ForOfStatement: ({ left }) => add(left),
  }).visit(parseSync('module.js', code).program)
  return names
}

interface Named {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Of a pattern every word: one too many keeps a variable from being a constant, and does no other harm. */
function namesIn({ type, start, end }: Named, code: string): readonly string[] {
  return type === 'MemberExpression' ? [] : (code.slice(start, end).match(/[\w$]+/g) ?? [])
}
