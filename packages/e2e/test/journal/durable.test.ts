import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { virtualClock } from '@tallystick/gateway'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { cards, startGateway, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saleOf } from './shop.ts'

let folder: string
let gateway: TestGateway
const clock = virtualClock()
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'journal-e2e-'))
  gateway = await startGateway({ clock })
})
afterEach(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})

/** A process of the shop on the one file. */
function open(options: { readonly repeatsGetFirstAnswer?: boolean } = {}) {
  const store = sqliteJournalStore({ file: join(folder, 'shop.db') })
  const told: string[] = []
  const client = gateway.client({ clock, readAttempts: 1 })
  const handler = ({ outcome }: { outcome: { key: string }; transaction: DatabaseSync }) => void told.push(outcome.key)
  return {
    store,
    told,
    client,
    journal: createJournal({ client, store, clock, handler, onNotice: 'ignore', ...options }),
  }
}

async function later(milliseconds: number, { journal }: ReturnType<typeof open>) {
  await clock.advance(milliseconds)
  await gateway.settled()
  await journal.reconcile()
}

describe('the journal in a file', () => {
  test('knows after a crash what may have been sent, and finds out', async () => {
    const first = open()
    const paying = first.journal.pay('invoice 77', 'sale', saleOf())
    // It dies after the request has left: nothing of the reply is written.
    first.store.update = () => new Promise(() => {})
    const second = open()
    await expect
      .poll(async () => (await second.journal.attempts('invoice 77'))[0]?.state, { timeout: 5000 })
      .toMatch(/PREPARED|SENDING/)
    void paying
    const [intent] = await second.journal.attempts('invoice 77')
    if (intent?.state === 'PREPARED') {
      expect(await second.journal.pay('invoice 77', 'sale', saleOf())).toMatchObject({ outcome: 'accepted' })
    }
    await later(80_000, second)
    await later(5000, second)
    expect(await second.journal.attempts('invoice 77')).toMatchObject([{ state: 'FINAL', status: 'approved' }])
    await second.journal.close()
  })

  test('holds no card number, no CVV and no key, whatever happened', async () => {
    const process = open()
    const card = { ...cards.approved, cvv2: '987' }
    const input = saleOf({ ...card, orderDesc: `paid by ${card.cardNumber}`, merchantData: card.cardNumber })
    await process.journal.pay('invoice 77', 'sale', input)
    await process.journal.pay('invoice 78', 'sale', { ...input, email: `${card.cardNumber} is no address` })
    await later(5000, process)
    await process.journal.close()
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
    expect(text).toContain('invoice 77')
    expect(text).not.toContain(card.cardNumber)
    expect(text).not.toContain('"987"')
    expect(text).not.toContain(gateway.merchant.controlKey.reveal())
  })

  test('writes an intent within the transaction of the merchant, and sends it after the commit', async () => {
    const process = open()
    const { DatabaseSync } = await import('node:sqlite')
    const shop = new DatabaseSync(join(folder, 'shop.db'))
    const input = saleOf()
    shop.exec('create table orders (id text); begin; insert into orders values (77)')
    expect(await process.journal.prepare('invoice 77', 'sale', input, shop)).toMatchObject({ ok: true })
    shop.exec('commit')
    expect(await process.journal.pay('invoice 77', 'sale', input)).toMatchObject({ outcome: 'accepted' })
    shop.exec('begin; insert into orders values (78)')
    const again = await process.journal.prepare('invoice 77', 'sale', input, shop)
    expect(again).toMatchObject({ ok: false, conflict: 'business-key' })
    shop.exec('rollback')
    expect(shop.prepare('select id from orders').all()).toMatchObject([{ id: '77' }])
    shop.close()
    await process.journal.close()
  })
})

describe('cards and rebills', () => {
  async function paid(process: ReturnType<typeof open>) {
    const { intent } = await process.journal.pay('invoice 77', 'sale', saleOf())
    await later(5000, process)
    return { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
  }

  test('a card reference is final at once, with its reference', async () => {
    const process = open()
    const order = await paid(process)
    const stored = await process.journal.pay('card of 77', 'createCardRef', order)
    expect(stored).toMatchObject({ outcome: 'final', intent: { state: 'FINAL', reference: expect.any(String) } })
    await process.journal.close()
  })

  test('a period of a subscription is charged once, and only under its own key', async () => {
    const process = open()
    const order = await paid(process)
    const { intent } = await process.journal.pay('card of 77', 'createCardRef', order)
    const rebill = {
      cardRefId: intent.reference ?? '',
      amount: '5.00',
      currency: 'USD',
      orderDesc: 'November',
      customerIp: '192.0.2.1',
    }
    const key = { profile: 'sub-12', period: '2026-11' }
    expect(await process.journal.pay(key, 'makeRebill', rebill)).toMatchObject({ outcome: 'accepted' })
    expect(await process.journal.pay(key, 'makeRebill', rebill)).toMatchObject({ outcome: 'accepted' })
    await later(5000, process)
    const [first] = await process.journal.attempts(key)
    expect(first).toMatchObject({ state: 'FINAL', status: 'approved' })
    await expect(process.journal.pay('november', 'makeRebill', rebill)).rejects.toThrow('{ profile, period }')
    await process.journal.close()
  })
})
