import type { JournalStore } from '@tallystick/client/ports'
import { expect, test } from 'vitest'
import { memoryJournalStore, sqliteJournalStore } from '../src/index.ts'
import type { HandClock } from './hand-clock.ts'
import { ownFolder } from './own-folder.ts'
import { type Answer, rebill, shopProcess, statusReply } from './shop-process.ts'

const inFolder = ownFolder()
const STORES = [
  ['memory', memoryJournalStore],
  ['a SQLite file', () => sqliteJournalStore({ file: inFolder('shop.db') })],
] as const
const TEN_MINUTES = 600_000

/** A clock that jumps: all timers that come due on the way, or that others set, come at once and at their times. */
function jumpingClock() {
  let now = 1_900_000_000_000
  const timers = new Set<{ readonly at: number; readonly task: () => void }>()
  const clock: HandClock = {
    now: () => now,
    schedule: (delayMs, task) => {
      const timer = { at: now + delayMs, task }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    timers: () => timers.size,
    goOn: async () => {},
  }
  const jump = () => {
    const end = now + TEN_MINUTES
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)
      if (next === undefined) break
      timers.delete(next)
      now = next.at
      next.task()
    }
    now = end
  }
  return { clock, jump }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

/** The gateway and the shop's functions take a little. */
const approved: Answer = async (_operation, request) => {
  await turns(3)
  return statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
}

/** What a shop is called with, if the clock jumps as its n-th call of the store begins, or when that has ended. */
async function calledWith(inner: JournalStore<unknown>, n: number, when: 'begins' | 'ends') {
  const { clock, jump } = jumpingClock()
  let calls = 0
  const jumping = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [
      name,
      typeof method !== 'function'
        ? method
        : async (...args: unknown[]) => {
            const mine = ++calls
            const result = Reflect.apply(method, inner, args)
            if (mine === n && when === 'begins') jump()
            const given = await result
            if (mine === n && when === 'ends') jump()
            return given
          },
    ]),
  )
  const keys: string[] = []
  const note = async (key: string) => {
    keys.push(key)
    await turns(3)
  }
  const { journal } = shopProcess<unknown>({
    store: jumping as unknown as JournalStore<unknown>,
    clock,
    isCertain: true,
    answer: approved,
    handler: ({ outcome }) => note(outcome.key),
    onOrphan: ({ key }) => note(key),
  })
  journal.start()
  await journal.inbox.receive({ clientOrderId: 'a', orderId: '9', status: 'approved' })
  const paying = journal.pay({ profile: 'subscription 12', period: '2026-11' }, 'makeRebill', rebill)
  for (let round = 0; round < 3; round++) {
    await turns(30)
    jump()
  }
  await turns(30)
  await paying.catch(() => {})
  await journal.close()
  return { keys, calls }
}

test.each(STORES)('[F-D13] a clock that jumps at any moment has nothing reported twice, in %s', async (_name, open) => {
  const { calls, keys } = await calledWith(open(), 0, 'begins')
  expect(keys.length).toBeGreaterThan(0)
  const twice: string[] = []
  for (let n = 1; n <= calls; n++) {
    for (const when of ['begins', 'ends'] as const) {
      const told = (await calledWith(open(), n, when)).keys
      if (new Set(told).size < told.length) twice.push(`${n} ${when}: ${told.join(', ')}`)
    }
  }
  expect(twice).toEqual([])
})
