import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openShopDatabase, type ShopDatabase } from '../../src/rows/shop-database.ts'

let folder: string
let shop: ShopDatabase
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-kit-'))
  shop = openShopDatabase(join(folder, 'shop.db'))
})
afterEach(() => {
  shop.close()
  rmSync(folder, { recursive: true })
})

const order = (id: string, createdAt: number) => ({ id, name: 'Hazel', amount: 1042n, currency: 'USD', createdAt })

test('the newest order comes first', async () => {
  await shop.write((rows) => {
    rows.openOrder(order('A', 1))
    rows.openOrder(order('B', 2))
    rows.openOrder(order('C', 2))
  })
  expect(shop.rows.orders(2).map(({ id }) => id)).toEqual(['C', 'B'])
})

test('a write that fails is rolled back, and does not block the next one', async () => {
  const failed = shop.write((rows) => {
    rows.openOrder(order('A', 1))
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(shop.rows.order('A')).toBeUndefined()
  await shop.write((rows) => rows.openOrder(order('A', 1)))
  expect(shop.rows.order('A')).toMatchObject({ amount: 1042n, clientOrderId: undefined, operations: [] })
})

test.skipIf(process.platform === 'win32')('no other user of the machine can read who has bought what', async () => {
  await shop.write((rows) => rows.openOrder(order('A', 1)))
  const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])
  expect(modes).toEqual([
    ['shop.db', '600'],
    ['shop.db-shm', '600'],
    ['shop.db-wal', '600'],
  ])
})

test('a write waits for the connection that holds the file, without blocking the process', async () => {
  const other = new DatabaseSync(shop.file)
  other.exec('begin immediate')
  const written = shop.write((rows) => rows.openOrder(order('A', 1)))
  setImmediate(() => other.exec('commit'))
  await written
  other.close()
  expect(shop.rows.order('A')?.id).toBe('A')
})

test('two writes that are asked for at once both take effect', async () => {
  await Promise.all(['A', 'B'].map((id) => shop.write((rows) => rows.openOrder(order(id, 1)))))
  expect(shop.rows.orders(2).map(({ id }) => id)).toEqual(['B', 'A'])
})
