/** Which names the files of a package export, and who uses them. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Program, Statement } from 'oxc-parser'
import type { WorkspacePackage } from '../workspace.ts'

export interface SourceFile {
  /** Below the package's folder, with forward slashes. */
  readonly path: string
  readonly program: Program
}

/** How many names the files export to each other, and how many of them exactly one other file imports. */
export function singleUse(files: readonly SourceFile[]): { readonly exported: number; readonly single: number } {
  const users = new Map<string, Set<string>>()
  for (const { path, program } of files) {
    for (const { from, name } of program.body.flatMap(importedNames)) {
      const key = `${posix.join(posix.dirname(path), from)}#${name}`
      users.set(key, (users.get(key) ?? new Set()).add(path))
    }
  }
  const keys = files.flatMap(({ path, program }) =>
    program.body.flatMap(declaredNames).map((name) => `${path}#${name}`),
  )
  return { exported: keys.length, single: keys.filter((key) => users.get(key)?.size === 1).length }
}

interface ImportedName {
  readonly from: string
  readonly name: string
}

function importedNames(statement: Statement): readonly ImportedName[] {
  if (statement.type === 'ImportDeclaration' && statement.source.value.startsWith('.')) {
    const from = statement.source.value
    return statement.specifiers.flatMap((each) =>
      each.type === 'ImportSpecifier' && each.imported.type === 'Identifier'
        ? [{ from, name: each.imported.name }]
        : [],
    )
  }
  if (statement.type === 'ExportNamedDeclaration' && statement.source?.value.startsWith('.') === true) {
    const from = statement.source.value
    return statement.specifiers.flatMap(({ local }) =>
      local.type === 'Identifier' ? [{ from, name: local.name }] : [],
    )
  }
  return []
}

function declaredNames(statement: Statement): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return []
  const { declaration } = statement
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

/**
 * The names that users of a package can import, and how many have no summary, as its API reports say. Not those of `internal`, which
 * is outside semantic versioning.
 */
export function publicNames({ path }: WorkspacePackage): { readonly names: number; readonly bare: number } {
  const reports = globSync('etc/!(internal).api.md', { cwd: path }).map((file) =>
    readFileSync(join(path, file), 'utf8'),
  )
  const names = reports.flatMap((report) => [...new Set(declarationsIn(report).map(({ name }) => name))])
  return { names: names.length, bare: reports.flatMap(namesWithoutSummary).length }
}

/** The names of an entry point that have a declaration without a summary, as its API report says. */
export function namesWithoutSummary(report: string): readonly string[] {
  return declarationsIn(report)
    .filter(({ isBare }) => isBare)
    .map(({ name }) => name)
}

function declarationsIn(report: string): ReadonlyArray<{ readonly name: string; readonly isBare: boolean }> {
  const pattern = /^\/\/ @public(?<bare> \(undocumented\))?\nexport (?:abstract )?\w+ (?<name>\w+)/gm
  return [...report.matchAll(pattern)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    isBare: groups?.['bare'] !== undefined,
  }))
}
