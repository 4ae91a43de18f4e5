import { describe, expect, test } from 'vitest'
import { nextWait } from '../../src/callbacks/retry.ts'
import { desk } from './delivery-desk.ts'

const DAY = 86_400
const FORTNIGHT = 14 * DAY

/** Part 13 of the gaps: 5, 15, 30 s; 1, 2, 5, 10, 15, 30 min; 1, 2, 3, 4, 6, 8, 12, 12 h; then every 24 h. */
const WAITS = [
  [5, 15, 30],
  [60, 120, 300, 600, 900, 1800],
  [3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 43_200],
  [DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY],
].flat()

/** What is left of the fourteen days, in seconds, after the waits above: 50 s, 63 min, 48 h and 11 days. */
const LAST_WAIT = 82_570

/** The times of all attempts at a shop that never answers, in seconds after the first. */
function attemptsOf(fraction: number): readonly number[] {
  const times = [0]
  for (let last = 0; ; ) {
    const wait = nextWait({ made: times.length, elapsedMs: last * 1000, fraction })
    if (wait === undefined) return times
    last += wait / 1000
    times.push(last)
  }
}

describe('the schedule of callbacks', () => {
  test.for([404, 500, new Error('no answer')])(
    '[G13-03] has the documented waits, the last one cut to fourteen days, when a shop says %s',
    async (answer) => {
      const { add, calledAt, advance, row } = desk({ answer: () => answer })
      add()
      await advance(0)
      expect(calledAt).toEqual([0])
      let now = 0
      for (const [at, wait] of [...WAITS, LAST_WAIT].entries()) {
        await advance(wait - 0.001)
        expect(calledAt).toHaveLength(at + 1)
        await advance(0.001)
        now += wait
        expect(calledAt).toHaveLength(at + 2)
        expect(calledAt.at(-1)).toBeCloseTo(now, 1)
      }
      expect([calledAt.length, Math.round(now)]).toEqual([30, FORTNIGHT])
      await advance(10 * FORTNIGHT)
      expect(calledAt).toHaveLength(30)
      expect(row()).toMatchObject({ state: 'given-up', made: 30, dueAt: undefined, firstAt: 0 })
    },
  )

  test.for([
    [0, 30],
    [0.25, 30],
    [0.5, 30],
    [0.75, 29],
    [1, 28],
  ] as const)(
    '[G13-03] with the jitter at %d makes %i attempts, none later than fourteen days',
    async ([fraction, expected]) => {
      const attempts = attemptsOf(fraction)
      expect(attempts).toHaveLength(expected)
      expect(attempts.at(-1)).toBeLessThanOrEqual(FORTNIGHT)
      const { add, calledAt, advance } = desk({ answer: () => 503, fraction })
      add()
      await advance(2 * FORTNIGHT)
      expect(calledAt).toHaveLength(expected)
      expect(calledAt.at(-1)).toBeLessThanOrEqual(FORTNIGHT)
    },
  )

  test('[G13-03] jitter moves a wait by 20 % at most, either side', () => {
    const first = (fraction: number) => nextWait({ made: 1, elapsedMs: 0, fraction })
    expect([first(0), first(0.5), first(1)]).toEqual([4000, 5000, 6000])
    for (const [at, wait] of WAITS.entries()) {
      for (const fraction of [0, 0.1, 0.37, 0.5, 0.99, 1]) {
        const ms = nextWait({ made: at + 1, elapsedMs: 0, fraction }) ?? 0
        expect(Math.abs(ms - wait * 1000)).toBeLessThanOrEqual(wait * 200)
        expect(ms).toBe(Math.round(ms))
      }
    }
  })
})
