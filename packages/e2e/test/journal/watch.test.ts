import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JournalStore } from '@tallystick/client/ports'
import { toMinorUnits } from '@tallystick/core'
import { memoryJournalStore, sqliteJournalStore } from '@tallystick/journal'
import { cards } from '@tallystick/testing'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { postgresWorld } from '../../../journal/test/store/postgres-world.ts'
import { type JournalShop, journalShop, saleOf } from './shop.ts'

const DAY = 86_400_000
const WEEK = 7 * DAY
/** Without a `notifyUrl` nobody calls about what comes later. */
const serverCallbackUrl = 'https://shop.example.com/callback'

const folder = mkdtempSync(join(tmpdir(), 'journal-watch-'))
const { open: openPostgres } = postgresWorld()
let shop: JournalShop
afterEach(() => shop.close())
afterAll(() => rmSync(folder, { recursive: true }))

/** What the shop's books say is kept of each order, by what the handlers were called with. */
function books() {
  const kept = new Map<string, bigint>()
  for (const { kind, operation, clientOrderId, status, amount = '0' } of shop.outcomes) {
    const before = kept.get(clientOrderId) ?? 0n
    if (kind === 'notice') kept.set(clientOrderId, before - BigInt(amount))
    else if (status === 'approved')
      kept.set(clientOrderId, operation === 'return' ? before - BigInt(amount) : BigInt(amount))
  }
  return kept
}

/** What the gateway has of each of its orders. */
async function gatewaysBooks() {
  const kept = new Map<string, bigint>()
  for (const { clientOrderId, orderId } of await shop.gateway.orders()) {
    const { status, transactionType, amount = '0' } = await shop.client.status({ clientOrderId, orderId })
    if (transactionType !== 'sale' || status === 'approved')
      kept.set(clientOrderId, BigInt(toMinorUnits(amount) ?? Number.NaN))
  }
  return kept
}

describe.each([
  ['memory', () => memoryJournalStore()],
  ['SQLite', () => sqliteJournalStore({ file: join(mkdtempSync(join(folder, 'j-')), 'shop.db') })],
  ['PostgreSQL', () => openPostgres()],
])('[F-D9] Without a notifyUrl, in %s,', (_name, open) => {
  test('a year of chargebacks and of refunds by a clerk of the gateway is in the books, each once', {
    timeout: 180_000,
  }, async () => {
    shop = await journalShop({ store: open() as JournalStore<unknown> })
    const orders: { clientOrderId: string; orderId: string; at: number }[] = []
    for (let week = 0; week < 78; week++) {
      if (week < 52) {
        const amount = `${week + 10}.00`
        const card = week % 9 === 0 ? cards.insufficientFunds : cards.approved
        const { intent } = await shop.journal.pay(
          `invoice ${week}`,
          'sale',
          saleOf({ ...card, amount, serverCallbackUrl }),
        )
        await shop.gateway.settled()
        if (week % 9 !== 0)
          orders.push({ clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '', at: week })
      }
      // Four of ten are charged back, after between one week and half a year; of every tenth a clerk gives back a part before that.
      for (const [index, { at, orderId, clientOrderId }] of orders.entries()) {
        if (index % 10 < 4 && week === at + 1 + ((index * 7) % 26)) await shop.gateway.chargeback(orderId, '5.00')
        if (index % 10 === 9 && week === at + 2)
          await shop.client.return({ clientOrderId, orderId, amount: '3.00', currency: 'USD', comment: 'by a clerk' })
      }
      await shop.gateway.settled()
      await shop.goOn(1, WEEK)
    }
    await shop.goOn(5, WEEK)
    expect(orders).toHaveLength(46)
    const notices = shop.outcomes.filter(({ kind }) => kind === 'notice')
    expect(notices.filter(({ transactionType }) => transactionType === 'chargeback')).toHaveLength(20)
    expect(notices.filter(({ transactionType }) => transactionType === 'reversal')).toHaveLength(4)
    expect(books()).toEqual(await gatewaysBooks())
    const { counts, open: stillOpen, unknown, review } = await shop.journal.report()
    expect([counts, stillOpen, unknown, review]).toEqual([{ FINAL: 52 }, [], [], []])
    expect(shop.events).toEqual([])
  })

  test('what a callback brings as well is reported once', async () => {
    shop = await journalShop({ store: open() as JournalStore<unknown> })
    const notifyUrl = 'https://shop.example.com/notify'
    const { intent } = await shop.journal.pay(
      'invoice 77',
      'sale',
      saleOf({ amount: '10.42', serverCallbackUrl, notifyUrl }),
    )
    await shop.goOn(3, DAY)
    await shop.gateway.chargeback(intent.orderId ?? '')
    await shop.goOn(20, DAY)
    expect(shop.outcomes.map(({ kind, transactionType, amount }) => [kind, transactionType, amount])).toEqual([
      ['outcome', 'sale', '1042'],
      ['notice', 'chargeback', '1042'],
    ])
  })

  test('a chargeback of a charge of a schedule is reported once, and a refund by the journal is its own report', {
    timeout: 180_000,
  }, async () => {
    const told: string[] = []
    shop = await journalShop({
      store: open() as JournalStore<unknown>,
      onOrphan: ({ kind, change, reply }) => void told.push(`${kind} ${change?.transactionType} ${reply.amount}`),
    })
    const { cardNumber, cardPrintedName, expireMonth, expireYear } = cards.approved
    const { intent } = await shop.journal.pay('subscription 7', 'createRecurringPayment', {
      recurringCardType: 'SRC',
      cardNumber,
      cardPrintedName,
      expireMonth,
      expireYear,
      amount: '15.00',
      currency: 'EUR',
      orderDesc: 'a year',
      period: 'year',
      interval: 1,
      serverCallbackUrl,
    })
    await shop.goOn(2, DAY)
    expect(told).toEqual(['outcome undefined 15.00'])
    const [charge] = await shop.gateway.orders()
    const { clientOrderId = '', orderId = '' } = charge ?? {}
    expect(clientOrderId).toBe(`${intent.reference}-1`)
    await shop.journal.pay('refund 1', 'return', {
      clientOrderId,
      orderId,
      amount: '2.00',
      currency: 'EUR',
      comment: 'late',
    })
    await shop.goOn(30, DAY)
    expect([told.length, shop.outcomes.at(-1)]).toMatchObject([
      1,
      { operation: 'return', amount: '200', status: 'approved' },
    ])
    await shop.gateway.chargeback(orderId, '13.00')
    await shop.goOn(60, DAY)
    expect(told).toEqual(['outcome undefined 15.00', 'notice chargeback 0.00'])
    expect((await shop.journal.report()).orphans).toEqual([])
  })
})
