import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { accepted, fakeClient, notSent, rejected, unknown } from '@tallystick/testing'
import { expect, test } from 'vitest'
import { storeCard } from '../../src/payments/stored-card.ts'
import type { ShopOrder } from '../../src/rows/order.ts'
import { openShopDatabase } from '../../src/rows/shop-database.ts'

const PAYMENT = { name: 'payment of A', shopOrder: 'A', kind: 'sale', amount: 1042n, createdAt: 1 } as const

type Answer = ReturnType<typeof accepted<'createCardRef'>> | ReturnType<typeof notSent>

/** What the back office sees in the end, and what the order stores, if the gateway answers like this. */
async function stored(answers: readonly Answer[], presses = answers.length) {
  using client = fakeClient()
  client.answer('createCardRef', ...answers)
  const folder = mkdtempSync(join(tmpdir(), 'shop-kit-'))
  const database = openShopDatabase(join(folder, 'shop.db'))
  const store = sqliteJournalStore({ file: database.file })
  const journal = createJournal({ client, store, handler: () => {}, onNotice: 'ignore', repeatsGetFirstAnswer: true })
  try {
    await database.write((rows) => {
      rows.openOrder({ id: 'A', name: 'Hazel', amount: 1042n, currency: 'USD', createdAt: 1 })
      rows.addOperation({ ...PAYMENT, status: 'approved' })
      rows.nameOrder('A', { clientOrderId: 'a-1-a', orderId: '123456789012345' })
    })
    const orderOf = () => database.rows.order('A') as ShopOrder
    const addresses = { callback: '', comeBack: '' }
    const press = () => storeCard({ client, journal, database, addresses, now: Date.now }, orderOf())
    let told = await press()
    for (let pressed = 1; pressed < presses; pressed++) told = await press()
    return { told, kept: orderOf().cardRefId }
  } finally {
    await journal.close()
    database.close()
    rmSync(folder, { recursive: true })
  }
}

test('the reference of a stored card is stored', async () => {
  expect(await stored([accepted({ cardRefId: '4711' })])).toEqual({ told: { ok: true }, kept: '4711' })
})

test.each([
  ['is refused', rejected({ errorMessage: 'Cards are not stored here' }), 'Cards are not stored here'],
  ['was not sent', notSent(), 'Nothing was sent'],
  ['gets no reply', unknown(), 'the gateway has not answered: store the card again'],
])('a request that %s says why, and stores no reference', async (_what, answer, reason) => {
  const { told, kept } = await stored([answer])
  expect([told.ok, kept]).toEqual([false, undefined])
  expect(told).toMatchObject({ reason: expect.stringContaining(reason) })
})

test('after a lost reply, a second press stores the reference', async () => {
  expect(await stored([unknown(), accepted({ cardRefId: '4711' })])).toEqual({ told: { ok: true }, kept: '4711' })
})

test('after the last attempt without a reply, the back office learns that it needs an operator', async () => {
  const { told } = await stored(
    Array.from({ length: 5 }, () => unknown()),
    6,
  )
  expect(told).toMatchObject({ rule: 'review', reason: expect.stringContaining('an operator has to find out') })
})
