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

export function add(one: Count, other: Count): Count {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
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

/** The last line of `npm test`. */
export function closingLine({ passed, failed, skipped }: Count): string {
  const line = `${passed} passed, ${failed} failed`
  return skipped === 0 ? line : `${line}, ${skipped} skipped`
}
