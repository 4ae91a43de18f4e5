import { testServer } from '@tallystick/test-postgres'
import { expect, test } from 'vitest'
import { postgresJournalStore } from '../../src/postgres.ts'
import { intentWith } from '../intents.ts'
import { runIn } from './postgres-schema.ts'
import { withOutcome } from './postgres-world.ts'

const PATIENCE = { timeout: 20_000, interval: 100 }

test('A server that crashes while a handler writes keeps what was acknowledged, and nothing of the handler', async () => {
  const server = await testServer()
  const store = postgresJournalStore({ connectionString: server.url })
  try {
    await runIn(server.url, 'create table paid (key text)')
    const outcome = await withOutcome(store)
    // Acknowledged one after the other, until the server is gone.
    let acknowledged = 0
    const writing = (async () => {
      for (let n = 0; ; n++) {
        await store.insert(intentWith({ intentId: `${n}`, businessKey: `b${n}`, clientOrderId: `o${n}` }))
        acknowledged = n + 1
      }
    })().catch(() => {})
    const cut = store.deliver(outcome, 1, async (transaction) => {
      await transaction.query('insert into paid values ($1)', [outcome.key])
      await expect.poll(() => acknowledged, PATIENCE).toBeGreaterThan(20)
      await server.stop('immediate')
    })
    await expect(cut).rejects.toThrow('onnection')
    await writing
    await server.start()
    const kept = (await store.counts()).PREPARED ?? 0
    // One may have been written and its acknowledgement lost; the one with the outcome was there before.
    expect(kept - 1 - acknowledged).toBeOneOf([0, 1])
    expect([await runIn(server.url, 'select * from paid'), await store.countOpenOutcomes()]).toEqual([[], 1])
    const again = store.deliver(outcome, 1, async (transaction) => {
      await transaction.query('insert into paid values ($1)', [outcome.key])
    })
    expect(await again).toBe('done')
    expect(await runIn(server.url, 'select key from paid')).toEqual([{ key: outcome.key }])
  } finally {
    await store.close()
    await server.close()
  }
})
