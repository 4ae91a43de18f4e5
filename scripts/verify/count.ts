/** What a step adds to the closing line. */
import { readFileSync } from 'node:fs'
import type { Step } from './step.ts'

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

export const nothing: Count = { passed: 0, failed: 0, skipped: 0 }

export function add(one: Count, other: Count): Count {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** A step counts as one, or as its tests if it leaves a report. */
export function countOf({ report }: Step, succeeded: boolean): Count {
  return report === undefined ? countOfStep(succeeded) : countOfTests(readReport(report), succeeded)
}

/**
 * A run without tests has failed, whatever it reports. So has a run that fails without a failed test: a file does not load, or
 * an error occurs after the last test.
 */
export function countOfTests(report: Report | undefined, succeeded: boolean): Count {
  const passed = report?.numPassedTests ?? 0
  const failed = report?.numFailedTests ?? 0
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
  const unexplained = failed === 0 && (!succeeded || passed === 0)
  return { passed, failed: unexplained ? 1 : failed, skipped }
}

function countOfStep(succeeded: boolean): Count {
  return succeeded ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 }
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
