import type { Requirement } from './requirement.ts'

/** Where a test cites a requirement. */
export interface Citation {
  readonly id: string
  /** The test file, below the root of the workspace. */
  readonly file: string
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
      .map(({ id }) => `${id} is deferred, yet ${cited.get(id)} cites it: remove \`deferred\``),
    ...[...cited].filter(([id]) => !known.has(id)).map(([id, file]) => `${id} is no requirement, yet ${file} cites it`),
  ]
}
