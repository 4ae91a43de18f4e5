import { testServer } from '@tallystick/test-postgres'
import { expect, test } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { NOW, nonce, opening, order } from './changes.ts'

test('a server that crashes under load keeps what was acknowledged, and the store goes on without a restart', async () => {
  const server = await testServer()
  const store = await postgresStore({ connectionString: server.url, jobs: false })
  try {
    const numbers = Array.from({ length: 2_000 }, (_, digits) => digits).values()
    const answers = new Map<number, boolean>()
    const write = async () => {
      for (const digits of numbers) {
        const committed = await store
          .commit({ ...opening(order(digits)), nonce: nonce(`${digits}`) }, NOW)
          .catch(() => undefined)
        answers.set(digits, committed?.ok === true)
        if (digits === 500) await server.stop('immediate').then(() => server.start())
      }
    }
    await Promise.all(Array.from({ length: 32 }, write))
    expect(await store.isReady()).toBe(true)
    const lost = []
    for (const [digits, isWritten] of answers) {
      const found = await store.orderById(order(digits).orderId)
      if (isWritten && found === undefined) lost.push(digits)
    }
    expect(lost).toEqual([])
    // On a slow machine the server is away for longer than the store waits: then nobody knows whether it was written.
    const later = [...answers].filter(([digits]) => digits >= 1_000)
    expect(later).toEqual(later.map(([digits]) => [digits, true]))
    expect(later).toHaveLength(1_000)
  } finally {
    await store.close()
    await server.close()
  }
})
