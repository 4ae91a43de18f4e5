import { expect, test } from 'vitest'
import { leases } from '../../src/background/lease.ts'
import { handClock } from '../hand-clock.ts'

function renewing(renew: (items: readonly string[]) => Promise<void> = async () => {}) {
  const clock = handClock(0)
  const log: string[] = []
  const held = leases<string>({
    clock,
    renew: async (items, leaseUntil) => {
      log.push(`${clock.now()}: ${items.join(' ')} until ${leaseUntil}`)
      await renew(items)
    },
    onFailure: (error) => void log.push(String(error)),
  })
  return { clock, log, held }
}

test('Until work ends, its leases are renewed every 2.4 seconds for eight seconds, all together', async () => {
  const { clock, log, held } = renewing()
  const [a, b] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const doing = held.during('a', () => a.promise)
  await clock.goOn(3000)
  const doingToo = held.during('b', () => b.promise)
  await clock.goOn(2000)
  expect([held.has('a'), held.has('c')]).toEqual([true, false])
  a.resolve('done')
  expect(await doing).toBe('done')
  await clock.goOn(3000)
  b.resolve('done too')
  await doingToo
  await clock.goOn(60_000)
  expect(log).toEqual(['2400: a until 10400', '4800: a b until 12800', '7200: b until 15200'])
  expect(clock.timers()).toBe(0)
})

test('A failed renewal is reported, and the work goes on', async () => {
  const { clock, log, held } = renewing(() => Promise.reject(new Error('no disk')))
  const work = Promise.withResolvers<void>()
  const doing = held.during('a', () => work.promise)
  await clock.goOn(4800)
  work.resolve()
  await doing
  expect(log.filter((line) => line.includes('no disk'))).toHaveLength(2)
})

test('The lease of failed work is no longer renewed', async () => {
  const { clock, log, held } = renewing()
  await expect(held.during('a', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
  await clock.goOn(10_000)
  expect([log, held.has('a')]).toEqual([[], false])
})

test('A renewal under way can be awaited after the work, and no second one begins beside it', async () => {
  const slow = Promise.withResolvers<void>()
  const { clock, log, held } = renewing(() => slow.promise)
  const work = Promise.withResolvers<void>()
  const doing = held.during('a', () => work.promise)
  const renewed = doing.then(() => held.renewed()).then(() => log.push('written'))
  await clock.goOn(7200)
  work.resolve()
  await clock.goOn(1)
  await doing
  expect([log, held.has('a')]).toEqual([['2400: a until 10400'], false])
  slow.resolve()
  await renewed
  expect(log).toEqual(['2400: a until 10400', 'written'])
})

test('A renewal that took until the next one was due is followed by that one at once', async () => {
  const slow = Promise.withResolvers<void>()
  const { clock, log, held } = renewing(() => slow.promise)
  const work = Promise.withResolvers<void>()
  const doing = held.during('a', () => work.promise)
  await clock.goOn(6000)
  slow.resolve()
  await clock.goOn(1000)
  expect(log).toEqual(['2400: a until 10400', '6000: a until 14000'])
  work.resolve()
  await doing
})
