import { wayThatFallsSilent } from '@tallystick/test-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realTime } from '../../src/runtime/system.ts'
import { wakeUps } from '../../src/store/postgres/cluster.ts'
import { pgBossJobs } from '../../src/store/postgres/pg-boss-jobs.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { quickTime } from '../support/quick-time.ts'
import { NOW, order, task } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

test('pg-boss wakes another process when something that one has scheduled is due', async () => {
  const errors: unknown[] = []
  const options = {
    connectionString: database.url,
    schema: 'jobs',
    time: realTime,
    onError: (error: unknown) => void errors.push(error),
  }
  const one = wakeUps(quickTime(), (wake) => pgBossJobs(options, wake))
  one.announce({ tasks: [task(order(1), { dueAt: NOW + 1 }), task(order(2), { dueAt: NOW })] }, NOW)
  // The job is due as soon as its task.
  const jobs = `SELECT start_after < created_on + interval '2 s' AS soon FROM jobs.job WHERE name = 'wake'`
  await expect.poll(() => database.ask(jobs).catch(() => []), { timeout: 20_000 }).toEqual([{ soon: true }])
  await one.end()
  let woken = 0
  const other = wakeUps(quickTime(), (wake) => pgBossJobs(options, wake))
  other.onWake(() => {
    woken += 1
  })
  await expect.poll(() => woken, { timeout: 20_000 }).toBe(1)
  await other.end()
  expect(errors).toEqual([])
})

test('starting pg-boss is tried again until its database is there', async () => {
  const errors: unknown[] = []
  const time = quickTime()
  const url = new URL(database.url)
  url.pathname = 'made_later'
  const options = {
    connectionString: url.href,
    schema: 'jobs',
    time,
    onError: (error: unknown) => void errors.push(error),
  }
  let woken = 0
  const jobs = pgBossJobs(options, () => {
    woken += 1
  })
  await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await database.ask('CREATE DATABASE made_later')
  const before = errors.length
  time.tick(5_000)
  const wakenAgain = () => {
    time.goOn(1_000)
    jobs.wakeIn(0)
    return woken
  }
  await expect.poll(wakenAgain, { timeout: 20_000, interval: 100 }).toBeGreaterThan(0)
  time.tick(5_000)
  await jobs.stop()
  expect(errors).toHaveLength(before)
})

test('pg-boss has a schema that is named for the gateway: a journal in the same database has one of its own', async () => {
  const store = postgresStore({ connectionString: database.url })
  await store.ready()
  const schemas = async () =>
    (await database.ask("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tallystick%' ORDER BY 1")).map(
      ({ nspname }) => nspname,
    )
  await expect.poll(schemas, { timeout: 20_000 }).toEqual(['tallystick', 'tallystick_wakeups'])
  await store.close()
})

test('closing does not wait for pg-boss while its server is silent', async () => {
  const way = await wayThatFallsSilent(database.url)
  const time = quickTime()
  let woken = 0
  const jobs = pgBossJobs({ connectionString: way.url, schema: 'silent_jobs', time, onError: () => {} }, () => {
    woken += 1
  })
  const wakenAgain = () => {
    time.goOn(1_000)
    jobs.wakeIn(0)
    return woken
  }
  await expect.poll(wakenAgain, { timeout: 20_000, interval: 100 }).toBeGreaterThan(0)
  way.silence()
  await way.unheard
  const stopped = jobs.stop().then(() => 'stopped')
  const later = () => {
    time.tick(4_000)
    return Promise.race([stopped, Promise.resolve('waiting')])
  }
  await expect.poll(later, { timeout: 20_000 }).toBe('stopped')
  way.close()
})
