import { setImmediate } from 'node:timers/promises'
import { virtualClock } from '@tallystick/gateway'
import { createJournal } from '@tallystick/journal'
import { cards, startGateway, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postgresWorld } from '../../../journal/test/store/postgres-world.ts'
import { saleOf } from './shop.ts'

const { open, inShop, shopClient } = postgresWorld()
const clock = virtualClock()
let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway({ clock })
  await inShop('create table paid (key text, amount text)')
})
afterEach(() => gateway.close())

/** A process of the shop on the one database. */
function shop() {
  return createJournal({
    client: gateway.client({ clock, readAttempts: 1 }),
    store: open(),
    clock,
    handler: async ({ outcome, transaction }) => {
      await transaction.query('insert into paid values ($1, $2)', [outcome.key, outcome.amount])
    },
    onNotice: 'ignore',
  })
}

/** Those that did not send wait by the clock for the answer of the one that did. */
async function whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
  let hasEnded = false
  const ended = work.finally(() => {
    hasEnded = true
  })
  for (await setImmediate(); !hasEnded; await setImmediate()) await clock.advance(200)
  return await ended
}

describe('the journal on PostgreSQL', () => {
  test('is one journal for all processes: a payment is sent once, and handed over once', async () => {
    const journals = [shop(), shop(), shop()]
    const input = saleOf({ amount: '10.42' })
    const paying = journals.map((journal) => journal.pay('invoice 77', 'sale', input))
    await Promise.race(paying)
    const asked = await whileTimePasses(Promise.all(paying))
    expect(asked.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(new Set(asked.map(({ intent }) => intent.intentId)).size).toBe(1)
    const { clientOrderId = '', orderId = '' } = (await journals[0]?.attempts('invoice 77'))?.[0] ?? {}
    await gateway.settled()
    await Promise.all(journals.map(({ inbox }) => inbox.receive({ status: 'approved', orderId, clientOrderId })))
    await Promise.all(journals.map((journal) => journal.reconcile()))
    expect(await inShop('select * from paid')).toEqual([{ key: `${clientOrderId}:1`, amount: '1042' }])
    expect(await journals[1]?.pay('invoice 77', 'sale', input)).toMatchObject({ outcome: 'final' })
  })

  test('writes an intent within the transaction of the shop, and sends it after the commit', async () => {
    const journal = shop()
    await journal.report()
    const transaction = await shopClient()
    const input = saleOf()
    await transaction.query('create table orders (id text); begin; insert into orders values (77)')
    expect(await journal.prepare('invoice 77', 'sale', input, transaction)).toMatchObject({ ok: true })
    expect(await journal.attempts('invoice 77')).toEqual([])
    await transaction.query('commit')
    expect(await journal.pay('invoice 77', 'sale', input)).toMatchObject({
      outcome: 'accepted',
      intent: { attempt: 1 },
    })
  })

  test('holds no card number, no CVV and no key, whatever happened', async () => {
    const journal = shop()
    const card = { ...cards.approved, cvv2: '987' }
    const input = saleOf({ ...card, orderDesc: `paid by ${card.cardNumber}`, merchantData: card.cardNumber })
    await journal.pay('invoice 77', 'sale', input)
    await journal.pay('invoice 78', 'sale', { ...input, email: `${card.cardNumber} is no address` })
    await clock.advance(5000)
    await gateway.settled()
    await journal.reconcile()
    const tables = ['journal_intents', 'journal_outcomes', 'journal_orphan_orders']
    const rows = await Promise.all(tables.map((table) => inShop(`select row_to_json(t)::text as row from ${table} t`)))
    const text = JSON.stringify(rows)
    expect(text).toContain('invoice 78')
    expect(text).not.toContain(card.cardNumber)
    // Not as a part of an id: some ids contain these digits.
    expect(text).not.toMatch(/(?<![0-9a-z])987(?![0-9a-z])/i)
    expect(text).not.toContain(gateway.merchant.controlKey.reveal())
  })
})
