import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryJournalStore } from '@tallystick/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createJournal, sqliteJournalStore } from '../src/index.ts'
import { decidingClient } from './deciding-client.ts'
import { intentWith, outcomeWith } from './intents.ts'

/** A clock that stands until it is moved. */
function standingClock() {
  let now = 1_900_000_000_000
  return {
    now: () => now,
    schedule: () => () => {},
    goOn: (ms: number) => {
      now += ms
    },
  }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('A journal without a handler', () => {
  test('leaves the outcomes to one that has a handler', async () => {
    const store = memoryJournalStore()
    await store.insert(intentWith())
    await store.update({ intent: { ...intentWith(), version: 2 }, outcomes: [outcomeWith()] })
    const told: string[] = []
    const parts = { client: decidingClient(), store, clock: standingClock() }
    const web = createJournal(parts)
    expect([(await web.reconcile()).handedOver, (await web.report()).openOutcomes]).toEqual([0, 1])
    const worker = createJournal({ ...parts, handler: ({ outcome }) => void told.push(outcome.key) })
    expect([(await worker.reconcile()).handedOver, told]).toEqual([1, ['order-a:1']])
  })
})

describe('An order that no intent has', () => {
  test.each([
    ['memory', memoryJournalStore],
    ['SQLite', () => sqliteJournalStore({ file: join(folder, 'shop.db') })],
  ])(
    'is told under another key each time that there is news, also when it is what it was before (%s)',
    async (_kind, open) => {
      let now: Readonly<Record<string, string>> = {}
      const clock = standingClock()
      const told: string[] = []
      const journal = createJournal<unknown>({
        client: decidingClient(() => now),
        store: open(),
        clock,
        onStray: ({ key }) => void told.push(key),
      })
      for (const [type, amount] of [
        ['sale', '10.00'],
        ['sale', '10.00'],
        ['chargeback', '0.00'],
        ['sale', '10.00'],
      ] as const) {
        now = {
          status: 'approved',
          'paynet-order-id': '9',
          'merchant-order-id': 'rec-1',
          'transaction-type': type,
          amount,
          currency: 'EUR',
        }
        await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
        clock.goOn(60_000)
        await journal.reconcile()
        // Months later another order is settled, and what is old is forgotten.
        clock.goOn(100 * 86_400_000)
        await journal.inbox.receive({ clientOrderId: 'rec-2', orderId: '10', status: 'approved' })
        clock.goOn(60_000)
        await journal.reconcile()
      }
      expect(told).toHaveLength(3)
      expect(new Set(told).size).toBe(3)
      await journal.close()
    },
  )

  test('is told under the same key when it is told again', async () => {
    const clock = standingClock()
    const told: string[] = []
    const journal = createJournal({
      client: decidingClient(() => ({ status: 'approved', 'paynet-order-id': '9', 'merchant-order-id': 'rec-1' })),
      store: memoryJournalStore(),
      clock,
      onStray: ({ key }) => {
        told.push(key)
        if (told.length === 1) throw new Error('no disk')
      },
    })
    await journal.inbox.receive({ clientOrderId: 'rec-1', orderId: '9', status: 'approved' })
    for (const _try of [1, 2]) {
      clock.goOn(60_000)
      await journal.reconcile()
    }
    expect(told).toHaveLength(2)
    expect(new Set(told).size).toBe(1)
  })
})

test('What wakes others cannot keep the store from being closed', async () => {
  let isClosed = false
  const close = async () => {
    isClosed = true
  }
  const store = { ...memoryJournalStore(), close }
  const wakeups = {
    wake: async () => {},
    listen: async () => {},
    close: async () => {
      throw new Error('the database is away')
    },
  }
  await expect(createJournal({ client: decidingClient(), store, wakeups }).close()).rejects.toThrow('away')
  expect(isClosed).toBe(true)
})
