/** Checks the files of one package, its sources or its build, against the dependency table. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { WorkspacePackage } from '../workspace.ts'
import { type Breach, type CheckedFile, findBreaches } from './find-breaches.ts'
import { findImports } from './imports.ts'
import { findCircles, layers } from './layers.ts'
import { dependencyTable, type PackageRule } from './table.ts'

/**
 * The breaches in `src` (TypeScript) or `dist` (bundles, and the declarations that a user's compiler reads). Throws if there is
 * nothing to read.
 */
export function checkPackage({ folder, path }: WorkspacePackage, part: 'src' | 'dist'): readonly Breach[] {
  const files = globSync(`${part}/**/*.{ts,js,cts,cjs}`, { cwd: path }).map((file) => ({
    path: file.replaceAll('\\', '/'),
    text: readFileSync(join(path, file), 'utf8'),
  }))
  if (files.length === 0) throw new Error(`${path} has no ${part}: run \`pnpm build\` first`)
  const breaches = files.flatMap((file) => findBreaches(ruleFor(folder), file, layers[folder]))
  return part === 'src' ? [...breaches, ...circlesAmong(files)] : breaches
}

function circlesAmong(files: readonly CheckedFile[]): readonly Breach[] {
  const imports = new Map(files.map((file) => [file.path, importedBy(file)]))
  return findCircles(imports).map((circle) => ({
    path: circle[0] ?? '',
    line: 1,
    message: `imports itself by way of ${circle.slice(1).join(', ')}`,
  }))
}

function importedBy({ path, text }: CheckedFile): readonly string[] {
  return findImports(parseSync(path, text).program)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
}

export function ruleFor(folder: string): PackageRule {
  const rule = dependencyTable[folder]
  if (rule === undefined) throw new Error(`packages/${folder} has no row in scripts/dependencies/table.ts: add one`)
  return rule
}
