/** Checks the files of one package, its sources or its build, against the dependency table. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { WorkspacePackage } from '../workspace.ts'
import { type Breach, findBreaches } from './find-breaches.ts'
import { dependencyTable, type PackageRule } from './table.ts'

/** The breaches in `src` (TypeScript) or `dist` (bundles and declarations). Throws if there is nothing to read. */
export function checkPackage({ folder, path }: WorkspacePackage, part: 'src' | 'dist'): readonly Breach[] {
  const rule = ruleFor(folder)
  return filesOf(join(path, part)).flatMap((file) => {
    const below = relative(path, file).replaceAll('\\', '/')
    return findBreaches(rule, { path: below, text: readFileSync(file, 'utf8') })
  })
}

export function ruleFor(folder: string): PackageRule {
  const rule = dependencyTable[folder]
  if (rule === undefined) throw new Error(`packages/${folder} has no row in scripts/dependencies/table.ts: add one`)
  return rule
}

function filesOf(folder: string): readonly string[] {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist: run \`pnpm build\` first`)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js)$/.test(name))
    .map((name) => join(folder, name))
}
