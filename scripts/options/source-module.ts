import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Comment, type Program, parseSync } from 'oxc-parser'

/** One source file, parsed. */
export interface SourceModule {
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
}

export function readModule(path: string): SourceModule {
  const text = readFileSync(path, 'utf8')
  const { program, comments, errors } = parseSync(path, text, { preserveParens: false })
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  return { path, text, program, comments }
}

/** The file that an import names: in the same package, or the main entry of another; `undefined` if it is not ours. */
export function readImported(specifier: string, { path }: SourceModule, packages: string): SourceModule | undefined {
  if (specifier.startsWith('.')) return readModule(join(dirname(path), specifier))
  const [scope, name] = specifier.split('/')
  return scope === '@tallystick' && name !== undefined ? readModule(entryOf(name, packages)) : undefined
}

export function entryOf(folder: string, packages: string): string {
  return join(packages, folder, 'src/index.ts')
}
