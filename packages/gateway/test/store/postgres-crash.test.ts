import { testServer } from '@tallystick/test-postgres'
import { expect, test } from 'vitest'
import { realTime } from '../../src/runtime/system.ts'
import { connectionsTo } from '../../src/store/postgres/connections.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { NOW, nonce, opening, order } from './changes.ts'

/** Makes the store ten times as patient: on a slow machine a server needs more than 8 s to start again. */
const time = { ...realTime, now: () => realTime.now() / 10 }

test('a server that crashes under load keeps what was acknowledged, and the store goes on without a restart', async () => {
  const server = await testServer()
  const store = await openPostgresStore({
    schema: 'tallystick',
    cachedOrders: 4096,
    spareNonces: 100_000,
    connect: (each) => connectionsTo({ connectionString: server.url, most: 10, ...each }),
    time,
    startJobs: undefined,
    onError: () => {},
  })
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
      if (isWritten !== (found !== undefined)) lost.push(digits)
    }
    expect(lost).toEqual([])
    expect([...answers.values()].filter((isWritten) => isWritten).length).toBe(2_000)
  } finally {
    await store.close()
    await server.close()
  }
})
