import { type End, endedConnections } from '@tallystick/test-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realTime } from '../../src/runtime/system.ts'
import { pgBossJobs } from '../../src/store/postgres/pg-boss-jobs.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { NOW, opening, order, updating } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

/** Ends after so many messages, spread over all. The proof `ended-connections` tries every byte. */
const spread =
  (count: number) =>
  ({ messages }: { readonly messages: number }): readonly End[] =>
    Array.from({ length: count }, (_, n) => ({ afterMessage: 1 + Math.floor((n * messages) / count), how: 'fatal' }))

test('[F-A5] the end of a connection of the store, after any message of the server, is caught', {
  timeout: 60_000,
}, async () => {
  const schema = database.newSchema()
  let orders = 0
  const usage = async (connectionString: string) => {
    const store = postgresStore({ connectionString, schema, jobs: false })
    try {
      const opened = order(++orders)
      await store.commit(opening(opened), NOW)
      await store.commit(updating(opened, {}), NOW)
      await store.orderById(opened.orderId)
    } finally {
      await store.close()
    }
  }
  await usage(database.url)
  const ended = await endedConnections(database.url, usage, spread(30))
  expect(ended).toMatchObject({ ends: 30, uncaught: [] })
})

test('[F-A5] the end of a connection while the schema is made, after any message of the server, is caught', {
  timeout: 60_000,
}, async () => {
  const usage = async (connectionString: string) => {
    const store = postgresStore({ connectionString, schema: database.newSchema(), jobs: false })
    try {
      await store.ready()
    } finally {
      await store.close()
    }
  }
  const ended = await endedConnections(database.url, usage, spread(15))
  expect(ended).toMatchObject({ ends: 15, uncaught: [] })
})

test('[F-A5] the end of a connection of pg-boss, after any message of the server, is caught', {
  timeout: 60_000,
}, async () => {
  const usage = async (connectionString: string) => {
    const tried = Promise.withResolvers<void>()
    const jobs = pgBossJobs(
      { connectionString, schema: 'jobs', time: realTime, onError: () => tried.resolve() },
      tried.resolve,
    )
    jobs.wakeIn(0)
    await tried.promise
    await jobs.stop()
  }
  await usage(database.url)
  const ended = await endedConnections(database.url, usage, spread(8))
  expect(ended.uncaught).toEqual([])
  expect(ended.ends).toBeGreaterThan(5)
})
