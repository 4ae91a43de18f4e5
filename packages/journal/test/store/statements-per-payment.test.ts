import type { JournalOutcome } from '@tallystick/client/ports'
import pg, { type PoolClient } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { answerOf, sessionJournalStore } from '../../src/store/session/session-journal-store.ts'
import { handClock } from '../hand-clock.ts'
import { rebill, replied, shopProcess, statusReply } from '../shop-process.ts'
import { postgresWorld } from './postgres-world.ts'

const { url } = postgresWorld()

/** A shop on PostgreSQL that counts what its journal sends there. */
async function countingShop() {
  const pool = new pg.Pool({ connectionString: url() })
  onTestFinished(() => pool.end())
  const sent: string[] = []
  const run = async (text: string, values: readonly unknown[] = [], on: Pick<PoolClient, 'query'> = pool) => {
    sent.push(text)
    return answerOf(await on.query(text, [...values]))
  }
  const store = sessionJournalStore<PoolClient>(
    {
      caller: 'countingShop',
      dialect: 'postgresql',
      connections: 10,
      run: (text, values, transaction) => run(text, values, transaction),
      transaction: async (work) => {
        const client = await pool.connect()
        try {
          await run('begin isolation level read committed', [], client)
          const result = await work(client)
          await run('commit', [], client)
          return result
        } catch (error) {
          await run('rollback', [], client)
          throw error
        } finally {
          client.release()
        }
      },
    },
    {},
  )
  await store.counts()
  const told: string[] = []
  const { journal } = shopProcess<PoolClient>({
    store,
    clock: handClock(),
    isCertain: true,
    answer: async (operation, request) =>
      operation === 'status'
        ? statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
        : replied({ type: 'async-response', 'paynet-order-id': '9' }),
    handler: ({ outcome }: { outcome: JournalOutcome }) => void told.push(outcome.status),
  })
  /** How many statements a piece of work takes. */
  async function countOf(work: () => Promise<unknown>): Promise<number> {
    sent.length = 0
    await work()
    return sent.length
  }
  return { journal, told, countOf }
}

/** The months of a year, each of which is paid for once. */
const months = Array.from({ length: 12 }, (_, month) => ({
  profile: 'subscription 12',
  period: `2026-${String(month + 1).padStart(2, '0')}`,
}))

test('A payment on PostgreSQL takes no more statements than it needs', async () => {
  const { journal, told, countOf } = await countingShop()
  // The first turn also looks for times from before the clock was set back.
  await journal.reconcile()
  const nothingDue = await countOf(() => journal.reconcile())
  const [key] = months
  let clientOrderId = ''
  const pay = async () => {
    const { intent } = await journal.pay(key ?? expect.fail(), 'makeRebill', rebill)
    clientOrderId = intent.clientOrderId
  }
  // Looks for attempts of its key, writes the intent, that it is sent, and the reply.
  expect(await countOf(pay)).toBeLessThanOrEqual(4)
  const callback = () => journal.inbox.receive({ status: 'approved', clientOrderId, orderId: '9' })
  expect(await countOf(callback)).toBeLessThanOrEqual(1)
  // Three for the check, four around the handler; the rest finds that nothing more is due.
  expect(await countOf(() => journal.reconcile())).toBeLessThanOrEqual(nothingDue + 14)
  expect(told).toEqual(['approved'])
  // Paid for and found to be so already.
  expect(await countOf(pay)).toBeLessThanOrEqual(1)
})

test('Payments side by side on PostgreSQL share their statements', async () => {
  const { journal, told, countOf } = await countingShop()
  const ids: string[] = []
  const pay = async (key: (typeof months)[number]) => {
    const { intent } = await journal.pay(key, 'makeRebill', rebill)
    ids.push(intent.clientOrderId)
  }
  expect(await countOf(() => Promise.all(months.map(pay)))).toBeLessThanOrEqual(months.length)
  const called = () =>
    Promise.all(ids.map((clientOrderId) => journal.inbox.receive({ status: 'approved', clientOrderId, orderId: '9' })))
  expect(await countOf(called)).toBeLessThanOrEqual(2)
  expect(await countOf(() => journal.reconcile())).toBeLessThanOrEqual(7 * months.length)
  expect(told).toHaveLength(months.length)
})
