/** What a step of `npm test` adds to the closing line. */
import { readFileSync } from 'node:fs'

export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The part of vitest's JSON report that is used. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
}

/**
 * A step counts as its tests, if it leaves a report, otherwise as one. A run without tests has failed, whatever it reports. So has
 * a run that fails without a failed test: a file does not load, or an error occurs after the last test.
 *
 * @param report the file of vitest's report, if the step is one of tests
 */
export function countOf(succeeded: boolean, report?: string): Count {
  if (report === undefined) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 }
  const read = readReport(report)
  const passed = read?.numPassedTests ?? 0
  const failed = read?.numFailedTests ?? 0
  const skipped = (read?.numPendingTests ?? 0) + (read?.numTodoTests ?? 0)
  const unexplained = failed === 0 && (!succeeded || passed === 0)
  return { passed, failed: unexplained ? 1 : failed, skipped }
}

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** The last line of `npm test`, of all counts together. */
export function closingLine(...counts: readonly Count[]): string {
  const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
  const line = `${sum('passed')} passed, ${sum('failed')} failed`
  return sum('skipped') === 0 ? line : `${line}, ${sum('skipped')} skipped`
}
