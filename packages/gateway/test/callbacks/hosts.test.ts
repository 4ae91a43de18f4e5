import { expect, test } from 'vitest'
import { hosts } from '../../src/callbacks/hosts.ts'
import { virtualClock } from '../../src/clock.ts'

/** Lets so many attempts at a host fail, as far as it may be called. */
async function fail(turns: ReturnType<typeof hosts>, host: string, times: number): Promise<boolean> {
  for (let at = 0; at < times; at++) {
    const turn = await turns.enter(host)
    if ('putOffUntil' in turn) return false
    turn.leave(false)
  }
  return true
}

test('no more than 10,000 hosts are remembered: the one that was called longest ago is forgotten', async () => {
  const turns = hosts({ clock: virtualClock(0), fraction: () => 0 })
  await fail(turns, 'first', 5)
  await fail(turns, 'second', 5)
  expect(await fail(turns, 'first', 1)).toBe(false)
  for (let at = 0; at < 9999; at++) await fail(turns, `host-${at}`, 1)
  expect(await fail(turns, 'first', 1)).toBe(false)
  expect(await fail(turns, 'second', 1)).toBe(true)
})

test('a host with something under way is never forgotten', async () => {
  const turns = hosts({ clock: virtualClock(0), fraction: () => 0 })
  await Promise.all([1, 2, 3, 4].map(() => turns.enter('busy')))
  for (let at = 0; at < 10_001; at++) await fail(turns, `host-${at}`, 1)
  let isIn = false
  void turns.enter('busy').then(() => {
    isIn = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isIn).toBe(false)
})
