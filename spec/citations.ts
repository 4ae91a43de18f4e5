import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import type { Requirement } from './requirements.ts'

/** Where a test cites a requirement. */
export interface Citation {
  readonly id: string
  /** The test file, below the root of the workspace. */
  readonly file: string
}

const TESTS = [
  'packages/*/{test,browser}/**/*.ts',
  'examples/*/test/**/*.ts',
  'scripts/test/**/*.ts',
  'spec/test/**/*.ts',
]

/** Every `[S4-03]` in a test file's texts. Titles are often data, so all texts count; comments do not. */
export function findCitations(root: string): readonly Citation[] {
  if (!existsSync(join(root, 'packages'))) throw new Error(`${root} is not the root of the workspace`)
  return globSync(TESTS, { cwd: root }).flatMap((file) => {
    const ids = citedIn(file, readFileSync(join(root, file), 'utf8'))
    return ids.map((id) => ({ id, file }))
  })
}

/** The ids that one source text cites. */
export function citedIn(file: string, source: string): readonly string[] {
  const texts: string[] = []
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateElement: ({ value }) => void texts.push(value.raw),
  }).visit(parseSync(file, source).program)
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/\[([SG]\d+(?:\.\d+)?-\d+|F-[A-G]\d+)\]/g), ([, id]) => id ?? ''),
  )
}

/** What is wrong between the requirements and the tests that cite them, one line each. Empty if all is well. */
export function judgeCitations(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
): readonly string[] {
  const cited = new Map(citations.map(({ id, file }) => [id, file]))
  const known = new Set(requirements.map(({ id }) => id))
  return [
    ...requirements
      .filter(({ id, deferred }) => deferred === undefined && !cited.has(id))
      .map(({ id, text }) => `${id} is cited by no test: ${text}`),
    ...requirements
      .filter(({ id, deferred }) => deferred !== undefined && cited.has(id))
      .map(({ id }) => `${id} is deferred, yet ${cited.get(id)} cites it: remove the deferral`),
    ...[...cited].filter(([id]) => !known.has(id)).map(([id, file]) => `${id} is no requirement, yet ${file} cites it`),
  ]
}
