import { type Clock, memoryJournalStore } from '@tallystick/client'
import { expect, test } from 'vitest'
import { loop } from '../src/loop.ts'
import type { JournalParts } from '../src/options.ts'
import { intentWith } from './intents.ts'

/** A clock whose timers run when they are told to. */
function handClock() {
  let now = 0
  let timer: { at: number; task: () => void } | undefined
  const clock: Clock = {
    now: () => now,
    schedule: (delayMs, task) => {
      const own = { at: now + delayMs, task }
      timer = own
      return () => {
        if (timer === own) timer = undefined
      }
    },
  }
  /** Lets what is due next run; gives when that is. */
  const next = async () => {
    await new Promise(setImmediate)
    const due = timer
    timer = undefined
    if (due === undefined) return undefined
    now = due.at
    due.task()
    await new Promise(setImmediate)
    return due.at
  }
  return { clock, next }
}

function looping(work: () => Promise<unknown> = async () => {}, handler: (() => void) | null = () => {}) {
  const { clock, next } = handClock()
  const store = memoryJournalStore()
  const told: string[] = []
  let runs = 0
  const parts: Pick<JournalParts<undefined>, 'clock' | 'store' | 'handler' | 'pollMs' | 'tell'> = {
    clock,
    store,
    handler: handler ?? undefined,
    pollMs: 1000,
    tell: ({ type }) => void told.push(type),
  }
  const background = loop(parts, async () => {
    runs++
    await work()
  })
  return { background, next, store, told, runs: () => runs }
}

test('The work is done at once, then when something is due, else now and then', async () => {
  const { background, next, store, runs } = looping()
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 300 }))
  background.start()
  expect([await next(), runs()]).toEqual([300, 2])
  // It is left due: another process is at it.
  expect([await next(), await next()]).toEqual([350, 450])
  await store.update({ intent: intentWith({ state: 'UNKNOWN', nextCheckAt: 9000, version: 2 }), outcomes: [] })
  expect(await next()).toBe(650)
  expect(await next()).toBe(1650)
  await background.stop()
  expect(await next()).toBeUndefined()
})

test('What is left due where nothing is handed over is looked at seldom', async () => {
  const { background, next, store } = looping(async () => {}, null)
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 0 }))
  background.start()
  expect([await next(), await next()]).toEqual([1000, 2000])
})

test('What stays due is looked at less and less often, but once a second', async () => {
  const { background, next, store } = looping()
  await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 0 }))
  background.start()
  const times: (number | undefined)[] = []
  for (let turn = 0; turn < 8; turn++) times.push(await next())
  expect(times).toEqual([50, 150, 350, 750, 1550, 2550, 3550, 4550])
})

test('News has it done soon, also while it is being done', async () => {
  const held = Promise.withResolvers<void>()
  const { background, runs } = looping(() => held.promise)
  background.kick()
  expect(runs()).toBe(0)
  background.start()
  background.kick()
  held.resolve()
  await background.stop()
  expect(runs()).toBeGreaterThan(0)
})

test('A failure is told, and does not end it', async () => {
  const { background, next, told, runs } = looping(() => Promise.reject(new Error('no disk')))
  background.start()
  await next()
  await background.stop()
  expect([told, runs()]).toEqual([['RECONCILE_FAILED', 'RECONCILE_FAILED'], 2])
})
