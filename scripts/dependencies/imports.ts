/** Every module that a file names: static, type-only, re-exported, dynamic, required, or inside a type. */
import { type Program, Visitor } from 'oxc-parser'

export interface Import {
  readonly specifier: string
  /** The place in the text, for the line of a message. */
  readonly offset: number
}

interface Source {
  readonly type: string
  readonly start: number
  readonly value?: unknown
}

export function findImports(program: Program): readonly Import[] {
  const found: Import[] = []
  const add = (source: Source | null | undefined) => {
    if (typeof source?.value === 'string') found.push({ specifier: source.value, offset: source.start })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first)
    },
  }).visit(program)
  return found
}
