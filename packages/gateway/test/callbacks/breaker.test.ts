import { describe, expect, test } from 'vitest'
import { afterAnswer, type Breaker, CLOSED, putOffUntil } from '../../src/callbacks/breaker.ts'

const MINUTE = 60_000

/** A host after this many failures in a row, each as early as it may be called. */
function failed(times: number): Breaker {
  let breaker = CLOSED
  for (let at = 0; at < times; at++) {
    const now = Math.max(breaker.openUntil, 1000)
    breaker = afterAnswer(breaker, { isUp: false, begunAt: now, now })
  }
  return breaker
}

const idle = { underWay: 0, fraction: 0 }

describe('a host that fails', () => {
  test('is called until it has failed five times in a row', () => {
    expect(putOffUntil(failed(4), { ...idle, now: 1000 })).toBeUndefined()
    expect(putOffUntil(failed(5), { ...idle, now: 1000 })).toBe(1000 + MINUTE)
  })

  test('is not called for 1, 2, 4, 8 and then always 10 minutes', () => {
    const waits = [5, 6, 7, 8, 9, 10, 50].map((times) => failed(times).openUntil - failed(times - 1).openUntil)
    expect([waits[0], ...waits.slice(1)].map((ms) => (ms ?? 0) / MINUTE)).toEqual([
      1 + 1000 / MINUTE,
      2,
      4,
      8,
      10,
      10,
      10,
    ])
  })

  test('is then tried with one delivery, and the others come back when that succeeds', () => {
    const now = failed(5).openUntil
    expect(putOffUntil(failed(5), { ...idle, now })).toBeUndefined()
    expect(putOffUntil(failed(5), { now, underWay: 1, fraction: 0 })).toBe(now + 15_000)
    expect(putOffUntil(failed(5), { now, underWay: 1, fraction: 1 })).toBe(now + 30_000)
  })

  test('gets what was put off spread over as long again', () => {
    const { openUntil } = failed(6)
    const spread = [0, 0.5, 1].map((fraction) =>
      putOffUntil(failed(6), { now: openUntil - MINUTE, underWay: 0, fraction }),
    )
    expect(spread).toEqual([openUntil, openUntil + MINUTE, openUntil + 2 * MINUTE])
  })

  test('is called as usual after one answer', () => {
    expect(afterAnswer(failed(9), { isUp: true, begunAt: 0, now: 10 ** 9 })).toEqual(CLOSED)
    expect(afterAnswer(failed(3), { isUp: true, begunAt: 0, now: 10 ** 9 })).toEqual(CLOSED)
  })

  test('is not put off longer by attempts that were already under way', () => {
    const open = failed(5)
    expect(afterAnswer(open, { isUp: false, begunAt: open.openUntil - 1, now: open.openUntil + 5 })).toEqual(open)
    const begunBefore = open.openUntil - MINUTE - 15_000
    expect(afterAnswer(open, { isUp: false, begunAt: begunBefore, now: open.openUntil })).toEqual(open)
  })
})

describe('a host that was put off when the clock was set back', () => {
  const DAY = 86_400_000
  const later: Breaker = { failures: 6, openUntil: 10 * DAY + 2 * MINUTE }

  test('is tried at once, with one delivery', () => {
    expect(putOffUntil(later, { ...idle, now: DAY })).toBeUndefined()
    expect(putOffUntil(later, { now: DAY, underWay: 1, fraction: 0 })).toBe(DAY + 15_000)
  })

  test('is put off from then on if it fails again', () => {
    const again = afterAnswer(later, { isUp: false, begunAt: DAY, now: DAY + 100 })
    expect(again).toEqual({ failures: 7, openUntil: DAY + 100 + 4 * MINUTE })
    expect(putOffUntil(again, { ...idle, now: DAY + 200 })).toBe(again.openUntil)
  })
})
