import { describe, expect, test } from 'vitest'
import { closingLine, countOf, countOfTests } from '../verify/count.ts'
import type { Step } from '../verify/step.ts'

const step: Step = { name: 'lint', shows: 'lint rules', command: ['lint'] }

describe('the closing line', () => {
  test('names what passed and failed', () => {
    expect(closingLine({ passed: 12, failed: 3, skipped: 0 })).toBe('12 passed, 3 failed')
  })

  test('names what was skipped, if anything was', () => {
    expect(closingLine({ passed: 12, failed: 0, skipped: 1 })).toBe('12 passed, 0 failed, 1 skipped')
  })
})

test('a step without a report counts one', () => {
  expect(countOf(step, true)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countOf(step, false)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

describe('the step of the tests', () => {
  const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 }

  test('counts its tests', () => {
    expect(countOfTests(report, true)).toEqual({ passed: 5, failed: 0, skipped: 2 })
    expect(countOfTests({ ...report, numFailedTests: 2 }, false)).toEqual({ passed: 5, failed: 2, skipped: 2 })
  })

  test('has failed when it ends badly without a failed test', () => {
    expect(countOfTests(report, false)).toMatchObject({ passed: 5, failed: 1 })
  })

  test('has failed when no test ran, or when there is no report', () => {
    expect(countOfTests({ ...report, numPassedTests: 0 }, true)).toMatchObject({ passed: 0, failed: 1 })
    expect(countOfTests(undefined, true)).toMatchObject({ passed: 0, failed: 1 })
    expect(countOf({ ...step, report: '/nowhere/tests.json' }, true)).toMatchObject({ passed: 0, failed: 1 })
  })
})
