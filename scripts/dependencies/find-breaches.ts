/** Checks one file against the dependency table. */
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { findImports } from './imports.ts'
import { isAgainstOrder, type Order } from './layers.ts'
import type { PackageRule } from './table.ts'

export interface CheckedFile {
  /** Below the package's folder, with forward slashes: `src/runtime/system.ts`. */
  readonly path: string
  readonly text: string
}

export interface Breach {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** Imports that the table or the order of the folders forbids. A syntax error is a breach too, because it would hide others. */
export function findBreaches(rule: PackageRule, { path, text }: CheckedFile, order: Order = []): readonly Breach[] {
  const { program, errors } = parseSync(path, text)
  const at = (offset: number, message: string) => ({ path, line: text.slice(0, offset).split('\n').length, message })
  const imports = findImports(program).map(({ specifier, offset }) =>
    at(offset, judgeImport(rule, order, path, specifier)),
  )
  const syntax = errors.map(({ message, labels: [label] }) => at(label?.start ?? 0, message))
  return [...syntax, ...imports].filter(({ message }) => message !== '')
}

/** What is wrong with the import; empty if nothing is. */
function judgeImport(rule: PackageRule, order: Order, path: string, specifier: string): string {
  if (specifier.startsWith('.')) {
    if (leavesItsFolder(path, specifier)) return `imports ${specifier}, which leaves the package`
    return isAgainstOrder(order, path, specifier) ? `imports ${specifier}, which stands above it in layers.ts` : ''
  }
  if (isBuiltin(specifier)) {
    const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`
    if (rule.builtins?.includes(name) ?? true) return ''
    return `imports ${specifier}; of Node it may import ${list(rule.builtins ?? [])}`
  }
  const bundled = path.startsWith('src/') ? rule.bundled : undefined
  const allowed = [...rule.packages, ...(bundled ?? [])].includes(packageOf(specifier))
  return allowed ? '' : `imports ${specifier}; it may import ${list(rule.packages)}`
}

/** Neither `src` nor `dist` may import from outside itself. */
function leavesItsFolder(path: string, specifier: string): boolean {
  const [folder] = path.split('/')
  return !posix.join(posix.dirname(path), specifier).startsWith(`${folder}/`)
}

function packageOf(specifier: string): string {
  const depth = specifier.startsWith('@') ? 2 : 1
  return specifier.split('/').slice(0, depth).join('/')
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ')
}
