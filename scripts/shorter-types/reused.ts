import { parseSync } from 'oxc-parser'

/** A declaration with its comment. */
interface Declared {
  readonly name: string
  readonly text: string
}

/** The declarations of another entry point. Those that the package's first one exports are imported from there. */
export function reused(declarations: string, first: string): string {
  const exported = new Set(declaredIn(first).map(({ text }) => text))
  const twice = declaredIn(declarations).filter(({ text }) => exported.has(text.replace(/^(?=\w)/m, 'export ')))
  const rest = twice.reduce((left, { text }) => left.replace(text, ''), declarations)
  const needed = twice.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(rest))
  const imports = needed.map(({ name }) => `import { ${name} } from './index.js';\n`)
  return imports.join('') + rest
}

function declaredIn(declarations: string): readonly Declared[] {
  const { body } = parseSync('index.d.ts', declarations).program
  return body.flatMap((statement, index) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    const isType = declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration'
    if (!isType) return []
    const text = declarations.slice(body[index - 1]?.end ?? 0, statement.end).trim()
    return { name: declaration.id.name, text }
  })
}
