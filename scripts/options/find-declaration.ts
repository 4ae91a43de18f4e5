import type {
  ExportSpecifier,
  Function as FunctionNode,
  ImportDeclarationSpecifier,
  Statement,
  TSInterfaceDeclaration,
  TSTypeAliasDeclaration,
} from 'oxc-parser'
import { readImported, type SourceModule } from './source-module.ts'

/** An interface, an alias or a function, and the file with its declaration. */
export interface Found {
  readonly declaration: TSInterfaceDeclaration | TSTypeAliasDeclaration | FunctionNode
  readonly module: SourceModule
}

/** What a name means in a file: declared there, imported, or exported from another. `undefined` if it is not ours. */
export function findDeclaration(name: string, module: SourceModule, packages: string): Found | undefined {
  const declaration = module.program.body.map(declared).find((each) => each?.id?.name === name)
  if (declaration !== undefined) return { declaration, module }
  for (const { original, specifier } of module.program.body.flatMap((each) => named(each, name))) {
    const imported = readImported(specifier, module, packages)
    return imported === undefined ? undefined : findDeclaration(original, imported, packages)
  }
  return undefined
}

function declared(statement: Statement): Found['declaration'] | undefined {
  const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (inner?.type === 'TSInterfaceDeclaration' || inner?.type === 'TSTypeAliasDeclaration') return inner
  return inner?.type === 'FunctionDeclaration' ? inner : undefined
}

interface Elsewhere {
  readonly original: string
  readonly specifier: string
}

/** Where a statement imports or re-exports the name from. */
function named(statement: Statement, name: string): readonly Elsewhere[] {
  if (statement.type === 'ImportDeclaration') {
    return statement.specifiers
      .filter((each) => each.local.name === name)
      .map((each) => from(statement, original(each)))
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) return []
  const { source, specifiers } = statement
  return specifiers.filter((each) => textOf(each.exported) === name).map((each) => from({ source }, textOf(each.local)))
}

function from({ source }: { readonly source: { readonly value: string } }, original: string): Elsewhere {
  return { original, specifier: source.value }
}

function original(specifier: ImportDeclarationSpecifier): string {
  return specifier.type === 'ImportSpecifier' ? textOf(specifier.imported) : specifier.local.name
}

function textOf(name: ExportSpecifier['local']): string {
  return name.type === 'Literal' ? name.value : name.name
}
