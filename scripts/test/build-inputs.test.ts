import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { findImports } from '../dependencies/imports.ts'
import { root } from '../workspace.ts'

const ROOT = '$TURBO_ROOT$/'

test('a build that is kept depends on every script that made it', () => {
  const { tasks } = JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8'))
  const patterns: readonly string[] = tasks.build.inputs
  const inputs = patterns
    .filter((pattern) => pattern.startsWith(ROOT) && !pattern.endsWith('.json'))
    .flatMap((pattern) => globSync(pattern.replace(ROOT, ''), { cwd: root }))
    .filter((path) => path.endsWith('.ts'))
  expect(inputs).not.toEqual([])
  expect(inputs.flatMap(ownImports).filter((path) => !inputs.includes(path))).toEqual([])
})

function ownImports(path: string): readonly string[] {
  const { program } = parseSync(path, readFileSync(join(root, path), 'utf8'))
  return findImports(program)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => relative(root, join(root, dirname(path), specifier)))
}
