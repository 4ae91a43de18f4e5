import { describe, expect, test } from 'vitest'
import { hostLimiter } from '../../src/callbacks/host-limiter.ts'
import { virtualClock } from '../../src/runtime/clock.ts'

/** Lets this many attempts at a host fail. `false`: it may not be called that often. */
async function fail(turns: ReturnType<typeof hostLimiter>, host: string, times: number): Promise<boolean> {
  for (let at = 0; at < times; at++) {
    const turn = await turns.enter({ login: 'shop', host })
    if ('putOffUntil' in turn) return false
    turn.leave('down')
  }
  return true
}

test('no more than 10,000 hosts are remembered: the one that was called longest ago is forgotten', async () => {
  const turns = hostLimiter({ clock: virtualClock(0), fraction: () => 0 })
  await fail(turns, 'first', 5)
  await fail(turns, 'second', 5)
  expect(await fail(turns, 'first', 1)).toBe(false)
  for (let at = 0; at < 9999; at++) await fail(turns, `host-${at}`, 1)
  expect(await fail(turns, 'first', 1)).toBe(false)
  expect(await fail(turns, 'second', 1)).toBe(true)
})

test('a host with something under way is never forgotten', async () => {
  const turns = hostLimiter({ clock: virtualClock(0), fraction: () => 0 })
  await Promise.all([1, 2, 3, 4].map(() => turns.enter({ login: 'shop', host: 'busy' })))
  for (let at = 0; at < 10_001; at++) await fail(turns, `host-${at}`, 1)
  let isIn = false
  void turns.enter({ login: 'shop', host: 'busy' }).then(() => {
    isIn = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isIn).toBe(false)
})

/** A clock that can be set forward and back. */
function setClock(at: number) {
  const clock = virtualClock(at)
  let ahead = 0
  return {
    ...clock,
    now: () => clock.now() + ahead,
    set: (by: number) => {
      ahead += by
    },
  }
}

const DAY = 86_400_000

test('a host that is up again is called although the clock was set back, not only once it has caught up', async () => {
  const clock = setClock(20 * DAY)
  const turns = hostLimiter({ clock, fraction: () => 0 })
  await fail(turns, 'shop', 5)
  expect(await fail(turns, 'shop', 1)).toBe(false)
  clock.set(-10 * DAY)
  expect(await turns.enter({ login: 'shop', host: 'shop' })).toHaveProperty('begunAt', 10 * DAY)
})

/** A host with four slow attempts under way and two that wait for them: the next finds no room. */
async function full(clock: ReturnType<typeof setClock>) {
  const turns = hostLimiter({ clock, fraction: () => 0 })
  for (let at = 0; at < 20; at++) {
    const turn = await turns.enter({ login: 'shop', host: 'busy' })
    await clock.advance(15_000)
    if ('leave' in turn) turn.leave('up')
  }
  const underWay = await Promise.all([1, 2, 3, 4].map(() => turns.enter({ login: 'shop', host: 'busy' })))
  void turns.enter({ login: 'shop', host: 'busy' })
  void turns.enter({ login: 'shop', host: 'busy' })
  return { turns, underWay }
}

/** Has this many attempts ask for room: for how long those that find none are put off. */
async function putOffFor(turns: ReturnType<typeof hostLimiter>, clock: ReturnType<typeof setClock>, count: number) {
  const waits: number[] = []
  for (let at = 0; at < count; at++) {
    void turns.enter({ login: 'shop', host: 'busy' }).then((admission) => {
      if ('putOffUntil' in admission) waits.push(admission.putOffUntil - clock.now())
    })
  }
  await new Promise((resolve) => setImmediate(resolve))
  return waits
}

test('what finds no room is put off by seconds from now, even after the clock was set back', async () => {
  const clock = setClock(20 * DAY)
  const { turns } = await full(clock)
  const before = await putOffFor(turns, clock, 1)
  clock.set(-10 * DAY)
  for (const [wait = DAY] of [before, await putOffFor(turns, clock, 1)]) expect(wait).toBeLessThan(10_000)
})

test('what finds no room at a quick host comes back many at a time, at the pace of the host', async () => {
  const clock = setClock(DAY)
  const turns = hostLimiter({ clock, fraction: () => 0 })
  const waits = await putOffFor(turns, clock, 400)
  const times = [...new Set(waits)].toSorted((one, other) => one - other)
  // Four at once, each a tenth of a second: ten in 250 ms.
  expect(waits.length / times.length).toBeGreaterThan(8)
  expect(times.map((each, at) => each - (times[0] ?? 0) - at * 250)).toEqual(times.map(() => 0))
})

test.for([10 * DAY, -10 * DAY])(
  'a clock that is set by %d ms during an attempt makes no host slow or quick',
  async (by) => {
    const clock = setClock(20 * DAY)
    const { turns, underWay } = await full(clock)
    clock.set(by)
    for (const turn of underWay) if ('leave' in turn) turn.leave('up')
    const waits = await putOffFor(turns, clock, 12)
    expect(waits).not.toEqual([])
    expect(Math.max(...waits)).toBeLessThan(60_000)
  },
)

describe('[F-B5] two merchants call one host', () => {
  test('answers to one merchant put off nothing of the other, though they fail', async () => {
    const turns = hostLimiter({ clock: virtualClock(0), fraction: () => 0 })
    expect(await fail(turns, 'shop.example', 6)).toBe(false)
    expect(await turns.enter({ login: 'other', host: 'shop.example' })).toHaveProperty('begunAt')
  })

  test('slow answers to one merchant take no place of the other', async () => {
    const turns = hostLimiter({ clock: virtualClock(0), fraction: () => 0 })
    for (let at = 0; at < 20; at++) void turns.enter({ login: 'shop', host: 'shop.example' })
    expect(await turns.enter({ login: 'other', host: 'shop.example' })).toHaveProperty('begunAt')
  })

  test.for(['unreachable', 'down', 'unknown'] as const)(
    'a host that is %s to one merchant five times is called for the other unless it cannot be reached',
    async (verdict) => {
      const turns = hostLimiter({ clock: virtualClock(0), fraction: () => 0 })
      for (let at = 0; at < 5; at++) {
        const turn = await turns.enter({ login: 'shop', host: 'shop.example' })
        if ('leave' in turn) turn.leave(verdict)
      }
      const other = await turns.enter({ login: 'other', host: 'shop.example' })
      expect('putOffUntil' in other).toBe(verdict === 'unreachable')
      expect('putOffUntil' in (await turns.enter({ login: 'shop', host: 'shop.example' }))).toBe(verdict !== 'unknown')
    },
  )
})
