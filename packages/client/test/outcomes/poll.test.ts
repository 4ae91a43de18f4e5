import { describe, expect, test } from 'vitest'
import { pollInterval } from '../../src/internal.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('the wait before the next status check', () => {
  test.each([
    [0, 2 * SECOND],
    [2 * SECOND, 3 * SECOND],
    [5 * SECOND, 5 * SECOND],
    [5 * MINUTE - 1, 5 * SECOND],
    [5 * MINUTE, 5 * MINUTE],
    [HOUR - 1, 5 * MINUTE],
    [HOUR, HOUR],
    [DAY - 1, HOUR],
    [DAY, DAY],
    [29 * DAY, DAY],
  ])('[G5-03] after %i ms is %i ms, changed at random by a fifth at most', (elapsedMs, wait) => {
    const waits = [0, 0.5, 1].map((fraction) => pollInterval(elapsedMs, fraction))
    expect(waits).toEqual([0.8 * wait, wait, 1.2 * wait])
  })
})
