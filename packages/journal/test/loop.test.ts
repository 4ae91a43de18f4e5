import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { loop } from '../src/loop.ts'
import type { JournalParts } from '../src/options.ts'
import { handClock } from './hand-clock.ts'
import { intentWith, withOutcomes } from './intents.ts'

function looping(
  work: () => Promise<unknown> = async () => {},
  handler: (() => void) | null = () => {},
  pollMs = 1000,
) {
  const clock = handClock(0)
  const store = memoryJournalStore()
  const told: string[] = []
  const runs: number[] = []
  const parts: Pick<JournalParts<undefined>, 'clock' | 'store' | 'handler' | 'pollMs' | 'tell'> = {
    clock,
    store,
    handler: handler ?? undefined,
    pollMs,
    tell: ({ type }) => void told.push(type),
  }
  const background = loop(parts, async () => {
    runs.push(clock.now())
    await work()
  })
  return { background, clock, store, told, runs }
}

test('The work is done at once, then when something is due, else now and then', async () => {
  const { background, clock, store, runs } = looping()
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 300 }))
  background.start()
  // From 300 on it is left due: another process is at it.
  await clock.goOn(450)
  expect(runs).toEqual([0, 300, 350, 450])
  await store.update({ intent: intentWith({ state: 'UNKNOWN', nextCheckAt: 9000, version: 2 }), outcomes: [] })
  await clock.goOn(1200)
  expect(runs).toEqual([0, 300, 350, 450, 650, 1650])
  await background.stop()
  await clock.goOn(10_000)
  expect([runs.length, clock.timers()]).toEqual([6, 0])
})

test('An outcome is not waited for where nothing is handed over', async () => {
  const { background, clock, store, runs } = looping(async () => {}, null)
  await withOutcomes(store, 'order-a')
  background.start()
  await clock.goOn(2999)
  expect(runs).toEqual([0, 1000, 2000])
})

test('What stays due is looked at less and less often, but once a second', async () => {
  const { background, clock, store, runs } = looping()
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 0 }))
  background.start()
  await clock.goOn(4550)
  expect(runs).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550, 4550])
})

test('Where it cannot be told when something is due, it is looked at once a second, however seldom otherwise', async () => {
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

test('News has it done soon, also while it is being done', async () => {
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

test('A failure is told, and does not end it', async () => {
  const { background, clock, told, runs } = looping(() => Promise.reject(new Error('no disk')))
  background.start()
  await clock.goOn(1000)
  await background.stop()
  expect([told, runs]).toEqual([
    ['RECONCILE_FAILED', 'RECONCILE_FAILED'],
    [0, 1000],
  ])
})
