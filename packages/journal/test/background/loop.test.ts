import { describe, expect, test } from 'vitest'
import { loop } from '../../src/background/loop.ts'
import type { JournalParts } from '../../src/context.ts'
import { memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith, withOutcomes } from '../intents.ts'

function looping(
  work: () => Promise<unknown> = async () => {},
  handler: (() => void) | null = () => {},
  pollMs = 1000,
) {
  const clock = handClock(0)
  const store = memoryJournalStore()
  const told: string[] = []
  const runs: number[] = []
  const parts: Pick<JournalParts<undefined>, 'clock' | 'store' | 'handler' | 'pollMs' | 'emit'> = {
    clock,
    store,
    handler: handler ?? undefined,
    pollMs,
    emit: ({ type }) => void told.push(type),
  }
  const background = loop(parts, async () => {
    runs.push(clock.now())
    await work()
  })
  return { background, clock, store, told, runs }
}

test('The work is done at once, then when something is due, and at least every pollMs', async () => {
  const { background, clock, store, runs } = looping()
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 300 }))
  background.start()
  // From 300 on it stays due, as if another process had it.
  await clock.goOn(450)
  expect(runs).toEqual([0, 300, 350, 450])
  await store.update({ intent: intentWith({ state: 'UNKNOWN', nextCheckAt: 9000, version: 2 }), outcomes: [] })
  await clock.goOn(1200)
  expect(runs).toEqual([0, 300, 350, 450, 650, 1650])
  await background.stop()
  await clock.goOn(10_000)
  expect([runs.length, clock.timers()]).toEqual([6, 0])
})

test('The loop does not wait for outcomes if nothing is delivered', async () => {
  const { background, clock, store, runs } = looping(async () => {}, null)
  await withOutcomes(store, 'order-a')
  background.start()
  await clock.goOn(2999)
  expect(runs).toEqual([0, 1000, 2000])
})

test('An outcome is due like a status check if it is delivered', async () => {
  const { background, clock, store, runs } = looping()
  await withOutcomes(store, 'order-a')
  background.start()
  await clock.goOn(150)
  expect(runs).toEqual([0, 50, 150])
})

test('What stays due is tried less and less often, at least once a second', async () => {
  const { background, clock, store, runs } = looping()
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 0 }))
  background.start()
  await clock.goOn(4550)
  expect(runs).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550, 4550])
})

test('If it is not known when something is due, the work is done once a second, however long pollMs is', async () => {
  const { background, clock, store, runs } = looping(
    async () => {},
    () => {},
    60_000,
  )
  store.nextDueAt = () => Promise.reject(new Error('the database is away'))
  background.start()
  await clock.goOn(2000)
  expect(runs).toEqual([0, 1000, 2000])
})

test('A kick does nothing before the start; afterwards the work is done soon, even if it is under way', async () => {
  const held = Promise.withResolvers<void>()
  const { background, runs } = looping(() => held.promise)
  background.kick()
  expect(runs).toEqual([])
  background.start()
  background.kick()
  held.resolve()
  await background.stop()
  expect(runs).not.toEqual([])
})

describe('Work that takes 100 milliseconds', () => {
  function working() {
    let [concurrency, most] = [0, 0]
    const own = looping(async () => {
      most = Math.max(most, ++concurrency)
      await new Promise<void>((resolve) => own.clock.schedule(100, resolve))
      concurrency--
    })
    return { ...own, most: () => most }
  }

  test('is done once more at once if a kick came meanwhile, and never twice at the same time', async () => {
    const { background, clock, runs, most } = working()
    background.start()
    background.start()
    await clock.goOn(50)
    expect(background.kick()).toBe(true)
    await clock.goOn(1150)
    expect([runs, most()]).toEqual([[0, 100, 1200], 1])
  })

  test('is awaited when the loop stops, and not done again, even after a kick', async () => {
    const { background, clock, runs } = working()
    background.start()
    await clock.goOn(50)
    background.kick()
    let isStopped = false
    const stopped = background.stop().then(() => {
      isStopped = true
    })
    await clock.goOn(49)
    expect([isStopped, background.kick()]).toEqual([false, false])
    await clock.goOn(1)
    await stopped
    expect([runs, clock.timers()]).toEqual([[0], 0])
  })
})

test('A kick replaces the planned turn, and what is left over is tried again soon', async () => {
  const { background, clock, store, runs } = looping()
  background.start()
  await clock.goOn(400)
  background.kick()
  await clock.goOn(1000)
  expect(runs).toEqual([0, 400, 1400])
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 1400 }))
  await clock.goOn(1400)
  expect(runs.slice(3)).toEqual([2400, 2450, 2550, 2750])
  background.kick()
  await clock.goOn(50)
  expect(runs.slice(7)).toEqual([2800, 2850])
})

test('A kick while the store is asked what is due next does not wait until then', async () => {
  const { background, clock, store, runs } = looping(undefined, undefined, 60_000)
  const { nextDueAt } = store
  store.nextDueAt = async (horizon) => {
    const at = await nextDueAt(horizon)
    if (runs.length === 1) background.kick()
    return at
  }
  background.start()
  await clock.goOn(1000)
  expect(runs).toEqual([0, 1])
  await background.stop()
})

test('A failure is reported, and does not end the loop', async () => {
  const { background, clock, told, runs } = looping(() => Promise.reject(new Error('no disk')))
  background.start()
  await clock.goOn(1000)
  await background.stop()
  expect([told, runs]).toEqual([
    ['RECONCILE_FAILED', 'RECONCILE_FAILED'],
    [0, 1000],
  ])
})
