import { expect, test } from 'vitest'
import { clockChanges } from '../../src/background/clock-changes.ts'
import { memoryJournalStore } from '../../src/index.ts'

/** What the store is called with, if the clock shows these times one after the other. */
async function pulledAt(times: readonly number[], failsAt?: number) {
  const pulled: number[] = []
  let shown = 0
  const store = memoryJournalStore()
  const seeToSetBack = clockChanges({
    skew: { aheadMs: () => 0, late: () => {}, back: () => {} },
    clock: { now: () => shown, schedule: () => () => {} },
    store: {
      ...store,
      pullBack: async ({ now, latest, leaseMs, putOffMs }) => {
        expect([latest - now, leaseMs, putOffMs]).toEqual([3000, 8000, 300_000])
        pulled.push(now)
        if (pulled.length === failsAt) throw new Error('no disk')
      },
    },
  })
  for (const time of times) {
    shown = time
    await seeToSetBack().catch(() => {})
  }
  return pulled
}

test('Times in the future are pulled back at the first turn, and whenever the clock was set back since the last turn', async () => {
  expect(await pulledAt([10, 10, 20, 19, 19, 30])).toEqual([10, 19])
})

test('Two turns side by side pull back once, and neither goes on before that has ended', async () => {
  const pulling = Promise.withResolvers<void>()
  let pulls = 0
  const seeToSetBack = clockChanges({
    skew: { aheadMs: () => 0, late: () => {}, back: () => {} },
    clock: { now: () => 10, schedule: () => () => {} },
    store: {
      ...memoryJournalStore(),
      pullBack: async () => {
        pulls++
        await pulling.promise
      },
    },
  })
  let ended = 0
  const turns = [1, 2].map(async () => {
    await seeToSetBack()
    ended++
  })
  await new Promise(setImmediate)
  expect([pulls, ended]).toEqual([1, 0])
  pulling.resolve()
  await Promise.all(turns)
  expect([pulls, ended]).toEqual([1, 2])
})

test('It is tried again if the store failed', async () => {
  expect(await pulledAt([10, 11, 12], 1)).toEqual([10, 11])
  expect(await pulledAt([10, 5, 6, 7], 2)).toEqual([10, 5, 6])
})
