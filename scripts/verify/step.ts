import type { Turn } from '../at-once.ts'

/** One named check of `npm test`; the name is for headings and for `--only`. */
export interface Step extends Turn {
  /** What it shows, in a line. */
  readonly shows: string
  /** The program and its arguments; programs of node_modules/.bin are on the path. */
  readonly command: readonly [program: string, ...args: readonly string[]]
  /** Where vitest leaves its report: then the step counts as its tests, else as one. */
  readonly report?: string
  /** Why tests of it are skipped, where they are: it is said wherever that happens. */
  readonly skips?: string
}
