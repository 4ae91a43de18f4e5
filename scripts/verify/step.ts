import type { Turn } from '../at-once.ts'

/** One named check of `npm test`; the name is for headings and for `--only`. */
export interface Step extends Turn {
  /** What it shows, in a line. */
  readonly shows: string
  /** The program and its arguments; programs of node_modules/.bin are on the path. */
  readonly command: readonly [program: string, ...args: readonly string[]]
  /** The path of vitest's report. With one, the step counts as its tests, otherwise as one. */
  readonly report?: string
  /** Why some of its tests may be skipped. Printed when that happens. */
  readonly skips?: string
}
