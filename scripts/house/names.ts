/** Which names the files of a package export, and who uses them. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { EcmaScriptModule } from 'oxc-parser'
import type { WorkspacePackage } from '../workspace.ts'

export interface SourceFile {
  /** Below the package's folder, with forward slashes. */
  readonly path: string
  readonly module: EcmaScriptModule
}

/** How many names the files export to each other, and how many of them exactly one other file imports. */
export function singleUse(files: readonly SourceFile[]): { readonly exported: number; readonly single: number } {
  const users = new Map<string, Set<string>>()
  for (const { path, module } of files) {
    for (const { from, name } of importedNames(module)) {
      const key = `${posix.join(posix.dirname(path), from)}#${name}`
      users.set(key, (users.get(key) ?? new Set()).add(path))
    }
  }
  const keys = files.flatMap(({ path, module }) => declaredNames(module).map((name) => `${path}#${name}`))
  return { exported: keys.length, single: keys.filter((key) => users.get(key)?.size === 1).length }
}

/** The names that a module imports, or exports again, from files beside it. */
function importedNames({ staticImports, staticExports }: EcmaScriptModule): readonly ImportedName[] {
  const imported = staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({ from: moduleRequest.value, name: importName.name })),
  )
  const again = staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest, importName }) => ({ from: moduleRequest?.value, name: importName.name })),
  )
  return [...imported, ...again].flatMap(({ from, name }) =>
    from?.startsWith('.') === true && typeof name === 'string' ? [{ from, name }] : [],
  )
}

interface ImportedName {
  readonly from: string
  readonly name: string
}

function declaredNames({ staticExports }: EcmaScriptModule): readonly string[] {
  return staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, exportName: { name } }) =>
      moduleRequest === null && typeof name === 'string' ? [name] : [],
    ),
  )
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
