import { EventEmitter } from 'node:events'
import { endedConnections, wayThatFallsSilent } from '@tallystick/test-postgres'
import { PgBoss } from 'pg-boss'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pgBossNotifier } from '../src/pg-boss.ts'
import { postgresWorld } from './store/postgres-world.ts'

const { url, inShop } = postgresWorld()

const PATIENCE = { timeout: 15_000 }

/** Jobs of the queue that nobody has done. */
async function jobsLeft(): Promise<number> {
  const jobs = "select 1 from tallystick_jobs.job where name = 'tallystick-journal' and state in ('created', 'active')"
  return (await inShop(jobs)).length
}

test('Many wakes without a listener are one job, which wakes a process that listens later', async () => {
  const [telling, listening] = [
    pgBossNotifier({ connectionString: url() }),
    pgBossNotifier({ connectionString: url() }),
  ]
  await Promise.all(Array.from({ length: 20 }, () => telling.wake()))
  expect(await jobsLeft()).toBe(1)
  let woken = 0
  await listening.listen(() => void woken++)
  await expect.poll(() => woken, PATIENCE).toBe(1)
  await expect.poll(jobsLeft, PATIENCE).toBe(0)
  expect(woken).toBe(1)
  await Promise.all([listening.close(), telling.close()])
})

test('Each wake in one process wakes another one that listens', async () => {
  const [listening, telling] = [
    pgBossNotifier({ connectionString: url() }),
    pgBossNotifier({ connectionString: url() }),
  ]
  let woken = 0
  await listening.listen(() => void woken++)
  for (const times of [1, 2, 3]) {
    await telling.wake()
    await expect.poll(() => woken, PATIENCE).toBe(times)
    await expect.poll(jobsLeft, PATIENCE).toBe(0)
  }
  await Promise.all([listening.close(), telling.close()])
})

test('Its options are checked', () => {
  const idle = { createQueue: () => {}, work: () => {}, send: () => {}, on: () => {} }
  const wrong = (options: unknown) => () => pgBossNotifier(options as Parameters<typeof pgBossNotifier>[0])
  expect(wrong({})).toThrow('pgBossNotifier: give a connectionString or a boss')
  expect(wrong({ connectionString: 5432 })).toThrow('connectionString must be a text, such as postgres://')
  expect(wrong({ connectionString: url(), bos: 1 })).toThrow(
    'pgBossNotifier: there is no option bos; did you mean boss?',
  )
  expect(wrong({ boss: {} })).toThrow('boss must be a pg-boss that is started, with createQueue(), ')
  expect(wrong({ boss: idle, connectionString: url() })).toThrow('exclude each other')
  expect(wrong({ connectionString: url(), onError: 'log' })).toThrow('onError must be a function')
})

test('The pg-boss of the shop is used, and left running', async () => {
  const boss = await new PgBoss({ connectionString: url(), schema: 'shop_jobs' }).start()
  const wakeups = pgBossNotifier({ boss })
  let woken = 0
  await wakeups.listen(() => void woken++)
  await wakeups.wake()
  await expect.poll(() => woken, PATIENCE).toBe(1)
  await wakeups.close()
  const queue = await boss.getQueue('tallystick-journal')
  await boss.stop({ graceful: false })
  expect(queue).toMatchObject({ policy: 'short' })
})

test('A failed start is thrown, and tried again', async () => {
  const nowhere = new URL(url())
  nowhere.port = '1'
  const wakeups = pgBossNotifier({ connectionString: nowhere.href })
  await expect(wakeups.wake()).rejects.toThrow('ECONNREFUSED')
  await expect(wakeups.wake()).rejects.toThrow('ECONNREFUSED')
  await wakeups.close()
})

test('It is closed in a few seconds, even if the server does not answer', async () => {
  const way = await wayThatFallsSilent(url())
  const wakeups = pgBossNotifier({ connectionString: way.url })
  await wakeups.listen(() => {})
  await wakeups.wake()
  way.silence()
  const unheard = wakeups.wake().catch(() => 'failed')
  await wakeups.close()
  way.close()
  expect(await unheard).toBe('failed')
})

test('It is closed in five seconds, even if the pg-boss of the shop does not end its work', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const never = () => new Promise(() => {})
  const hanging = { createQueue: async () => {}, work: async () => {}, send: async () => {}, offWork: never }
  const boss = Object.assign(new EventEmitter(), hanging) as unknown as PgBoss
  const wakeups = pgBossNotifier({ boss })
  await wakeups.listen(() => {})
  let isClosed = false
  const closing = wakeups.close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(4999)
  expect(isClosed).toBe(false)
  // One more than is left: the turn of the event loop between the two halves of the limit takes a millisecond of these timers.
  await vi.advanceTimersByTimeAsync(2)
  await closing
  expect(vi.getTimerCount()).toBe(0)
})

test('[F-A5] the end of a connection of pg-boss, after any message of the server, is caught', {
  timeout: 60_000,
}, async () => {
  const usage = async (connectionString: string) => {
    const wakeups = pgBossNotifier({ connectionString })
    try {
      await wakeups.listen(() => {})
      await wakeups.wake()
    } finally {
      await wakeups.close()
    }
  }
  await usage(url())
  const ended = await endedConnections(url(), usage, ({ messages }) =>
    Array.from({ length: 40 }, (_, n) => ({ afterMessage: 1 + Math.floor((n * (messages - 1)) / 40), how: 'fatal' })),
  )
  expect(ended.uncaught).toEqual([])
  expect(ended.ends).toBeGreaterThan(30)
})

test('[F-A5] an error of the pg-boss of a shop that does not listen for errors is caught', async () => {
  const boss = await new PgBoss({ connectionString: url(), schema: 'shop_jobs' }).start()
  onTestFinished(() => boss.stop())
  const wakeups = pgBossNotifier({ boss })
  await wakeups.wake()
  expect(boss.emit('error', new Error('terminating connection'))).toBe(true)
  await wakeups.close()
})
