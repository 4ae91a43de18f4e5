import { endedConnections } from '@tallystick/test-postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { postgresJournalStore } from '../../src/postgres.ts'
import { migrateDatabase } from '../../src/store/postgres/own-pool.ts'
import { intentWith, withOutcomes } from '../intents.ts'
import { postgresWorld } from './postgres-world.ts'

const { url, open, inShop, wipe } = postgresWorld()

let orders = 0

/** Reads, writes and delivers an outcome. */
async function usage(store: ReturnType<typeof postgresJournalStore>): Promise<void> {
  try {
    const name = `order-${++orders}`
    for (const outcome of await withOutcomes(store, name)) {
      await store.deliver(outcome, 1, async (transaction) => void (await transaction.query('select 1')))
    }
  } finally {
    await store.close()
  }
}

test('[F-A5] the end of a connection of the journal, after any message of the server, is caught', async () => {
  await open().counts()
  const ended = await endedConnections(url(), (connectionString) => usage(postgresJournalStore({ connectionString })))
  expect(ended).toMatchObject({ ends: ended.messages, uncaught: [] })
  expect(ended.messages).toBeGreaterThan(40)
  expect(await open().insert(intentWith())).toEqual({ ok: true })
})

test("[F-A5] the end of a connection of the shop's pool, after any message of the server, is caught", async () => {
  await open().counts()
  const ended = await endedConnections(url(), async (connectionString) => {
    const pool = new pg.Pool({ connectionString })
    try {
      await usage(postgresJournalStore({ pool }))
    } finally {
      await pool.end()
    }
  })
  expect(ended).toMatchObject({ ends: ended.messages, uncaught: [] })
})

test('[F-A5] the end of a connection while tables are made, after any message of the server, is caught', async () => {
  const ended = await endedConnections(url(), async (connectionString) => {
    await wipe()
    await migrateDatabase(connectionString)
  })
  expect(ended).toMatchObject({ ends: ended.messages, uncaught: [] })
  expect(await inShop('select count(*)::int as count from journal_version')).toEqual([{ count: 1 }])
})
