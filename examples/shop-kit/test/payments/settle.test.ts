import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JournalOutcome } from '@tallystick/journal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteLater, settle } from '../../src/payments/settle.ts'
import { openShopDatabase, type ShopDatabase } from '../../src/rows/shop-database.ts'

let folder: string
let shop: ShopDatabase
let transaction: DatabaseSync
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shop-kit-'))
  shop = openShopDatabase(join(folder, 'shop.db'))
  transaction = new DatabaseSync(shop.file)
  await shop.write((rows) => {
    rows.openOrder({ id: 'A', name: 'Yew', amount: 12_000n, currency: 'EUR', createdAt: 1 })
    const sent = { shopOrder: 'A', status: 'sent', createdAt: 1 } as const
    rows.addOperation({ name: 'payment of A', kind: 'preauth', amount: 12_000n, ...sent })
  })
})
afterEach(() => {
  transaction.close()
  shop.close()
  rmSync(folder, { recursive: true })
})

const PAYMENT: JournalOutcome = {
  key: 'k-1',
  number: 1,
  kind: 'outcome',
  intentId: 'i-1',
  businessKey: 'payment of A',
  operation: 'preauthForm',
  clientOrderId: 'a-1-a',
  orderId: '123456789012345',
  status: 'approved',
  transactionType: 'preauth',
  amount: '12000',
  currency: 'EUR',
  kept: '12000',
}

const tell = (changes: Partial<JournalOutcome>) => {
  const outcome = { ...PAYMENT, ...changes }
  return (outcome.kind === 'notice' ? noteLater : settle)(outcome, transaction, 2)
}

test('an outcome ends its operation, stores the ids of the order and goes into the ledger', () => {
  tell({})
  expect(shop.rows.order('A')).toMatchObject({ clientOrderId: 'a-1-a', orderId: '123456789012345' })
  expect(shop.rows.operation('payment of A')).toMatchObject({ status: 'approved', amount: 12_000n, statusAt: 2 })
  expect(shop.rows.ledgerOf('payment of A')).toMatchObject([{ status: 'approved', amount: 12_000n, currency: 'EUR' }])
})

test('an outcome is part of the transaction: after a rollback nothing of it remains', () => {
  transaction.exec('begin immediate')
  tell({})
  transaction.exec('rollback')
  expect(shop.rows.operation('payment of A')?.status).toBe('sent')
  expect(shop.rows.ledger(10)).toEqual([])
})

test('a declined operation keeps its amount, and the ledger has none for it', () => {
  tell({ status: 'declined', amount: '0' })
  expect(shop.rows.operation('payment of A')).toMatchObject({ status: 'declined', amount: 12_000n })
  expect(shop.rows.ledger(1)).toMatchObject([{ amount: undefined }])
})

test('a return may turn out to be a cancel', async () => {
  tell({})
  await shop.write((rows) => {
    const asked = { shopOrder: 'A', status: 'sent', createdAt: 2 } as const
    rows.addOperation({ name: 'return 1 of A', kind: 'reversal', amount: 12_000n, ...asked })
  })
  tell({ key: 'k-2', businessKey: 'return 1 of A', operation: 'return', transactionType: 'cancel' })
  expect(shop.rows.operation('return 1 of A')).toMatchObject({ kind: 'cancel', status: 'approved' })
})

test('a notice of something that the shop did not ask for is one more operation of its order', () => {
  tell({})
  tell({ key: 'k-2', kind: 'notice', transactionType: 'chargeback', amount: '500' })
  expect(shop.rows.order('A')?.operations.at(-1)).toMatchObject({ name: 'k-2', kind: 'chargeback', amount: 500n })
})

test('a notice that moves no money or is about another order goes into the ledger only', () => {
  tell({})
  tell({ key: 'k-2', kind: 'notice', transactionType: 'dispute' })
  tell({ key: 'k-3', kind: 'notice', transactionType: 'chargeback', clientOrderId: 'b-1-b' })
  tell({ key: 'k-4', businessKey: 'payout 7', operation: 'payoutPay', transactionType: 'payout' })
  expect(shop.rows.order('A')?.operations).toHaveLength(1)
  expect(shop.rows.ledger(10).map(({ operation }) => operation)).toEqual([
    'payoutPay',
    'chargeback',
    'dispute',
    'preauthForm',
  ])
})

test('the reference of a stored card is stored with its order', () => {
  tell({})
  tell({ key: 'k-2', businessKey: 'card of A', operation: 'createCardRef', reference: '987654321098765' })
  expect(shop.rows.order('A')?.cardRefId).toBe('987654321098765')
})
