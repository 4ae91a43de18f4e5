import { PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import { pgBossWakeups } from '../src/pg-boss.ts'
import { postgresWorld } from './store/postgres-world.ts'

const { url } = postgresWorld()

/** Resolves when it was called so often. */
function calls(count: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = count
  const onWake = () => {
    if (--left === 0) resolve()
  }
  return { promise, onWake }
}

test('News in one process wakes another one that listens, and again when there is more', async () => {
  const [listening, telling] = [pgBossWakeups({ connectionString: url() }), pgBossWakeups({ connectionString: url() })]
  const [once, twice] = [calls(1), calls(2)]
  await listening.listen(() => {
    once.onWake()
    twice.onWake()
  })
  await Promise.all(Array.from({ length: 20 }, () => telling.wake()))
  await once.promise
  await telling.wake()
  await twice.promise
  await Promise.all([listening.close(), telling.close()])
})

test('The pg-boss of the shop is used, and left running', async () => {
  const boss = await new PgBoss({ connectionString: url(), schema: 'shop_jobs' }).start()
  const wakeups = pgBossWakeups({ boss })
  const { promise, onWake } = calls(1)
  await wakeups.listen(onWake)
  await wakeups.wake()
  await promise
  await wakeups.close()
  const queue = await boss.getQueue('tallystick-journal')
  await boss.stop({ graceful: false })
  expect(queue).toMatchObject({ policy: 'short' })
})

test('What fails is thrown, and tried anew', async () => {
  const nowhere = new URL(url())
  nowhere.port = '1'
  const wakeups = pgBossWakeups({ connectionString: nowhere.href })
  await expect(wakeups.wake()).rejects.toThrow('ECONNREFUSED')
  await expect(wakeups.wake()).rejects.toThrow('ECONNREFUSED')
  await wakeups.close()
})
