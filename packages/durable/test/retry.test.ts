import { expect, test } from 'vitest'
import { type RetryOptions, retry } from '../src/retry.ts'

const LOST = new Error('lost')

/** Tries of work that takes this long and fails each time, unless one succeeds; how long each pause was, and how it ended. */
async function triesOf(eachMs: number, options: Partial<RetryOptions> = {}, succeedsAt = Number.POSITIVE_INFINITY) {
  const state = { now: 1000, tries: 0, ends: new Set<number>() }
  const pauses: number[] = []
  const time = {
    now: () => state.now,
    pause: async (milliseconds: number) => {
      pauses.push(milliseconds)
      state.now += milliseconds
    },
  }
  const work = async (end: number) => {
    state.tries++
    state.ends.add(end)
    state.now += eachMs
    if (state.tries < succeedsAt) throw LOST
    return 'done'
  }
  const isPassing = (error: unknown) => error === LOST
  const ended = await retry(work, { time, isPassing, timeoutMs: 100, pauseMs: () => 10, ...options }).catch(String)
  return { tries: state.tries, pauses, ended, ends: [...state.ends] }
}

test('Work is done again while its errors are passing, and knows the deadline', async () => {
  expect(await triesOf(0, {}, 3)).toEqual({ tries: 3, pauses: [10, 10], ended: 'done', ends: [1100] })
})

test('Another error ends it at once', async () => {
  expect(await triesOf(0, { isPassing: () => false })).toMatchObject({ tries: 1, pauses: [], ended: 'Error: lost' })
})

test('It ends at the deadline, or after most tries, and throws what the last threw', async () => {
  expect(await triesOf(40)).toMatchObject({ tries: 3, pauses: [10, 10], ended: 'Error: lost' })
  expect(await triesOf(0, { mostTries: 4 })).toMatchObject({ tries: 4, ended: 'Error: lost' })
})

test('Work that outlasts the deadline is tried as often as it must be', async () => {
  expect(await triesOf(500)).toMatchObject({ tries: 1, ended: 'Error: lost' })
  expect(await triesOf(500, { leastTries: 2 })).toMatchObject({ tries: 2, ended: 'Error: lost' })
})

test('Pauses are as long as the number of tries says', async () => {
  const pauseMs = (tries: number) => 2 ** tries
  expect(await triesOf(0, { pauseMs, mostTries: 4 })).toMatchObject({ pauses: [2, 4, 8] })
})

test('Work may also end without a promise', async () => {
  const time = { now: () => 0, pause: async () => {} }
  expect(await retry(() => 7, { time, isPassing: () => true, timeoutMs: 0, pauseMs: () => 0 })).toBe(7)
})
