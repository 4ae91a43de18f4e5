import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closingLine, countOf } from '../verify-count.ts'

describe('the closing line', () => {
  test('names what passed and failed', () => {
    expect(closingLine({ passed: 12, failed: 3, skipped: 0 })).toBe('12 passed, 3 failed')
  })

  test('names what was skipped, if anything was', () => {
    expect(closingLine({ passed: 12, failed: 0, skipped: 1 })).toBe('12 passed, 0 failed, 1 skipped')
  })
})

test('a step without a report counts one', () => {
  expect(countOf(true)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countOf(false)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

describe('a step of tests', () => {
  const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 }

  function written(content: typeof report): string {
    const folder = mkdtempSync(join(tmpdir(), 'count-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'tests.json'), JSON.stringify(content))
    return join(folder, 'tests.json')
  }

  test('counts its tests', () => {
    expect(countOf(true, written(report))).toEqual({ passed: 5, failed: 0, skipped: 2 })
    expect(countOf(false, written({ ...report, numFailedTests: 2 }))).toEqual({ passed: 5, failed: 2, skipped: 2 })
  })

  test('has failed when it ends badly without a failed test', () => {
    expect(countOf(false, written(report))).toMatchObject({ passed: 5, failed: 1 })
  })

  test('has failed when no test ran, or when there is no report', () => {
    expect(countOf(true, written({ ...report, numPassedTests: 0 }))).toMatchObject({ passed: 0, failed: 1 })
    expect(countOf(true, '/nowhere/tests.json')).toMatchObject({ passed: 0, failed: 1 })
  })
})
