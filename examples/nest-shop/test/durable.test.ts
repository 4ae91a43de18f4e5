import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Browser, officeOf, startWorld } from '@tallystick/shop-kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startShop } from '../src/start-shop.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'nest-shop-test-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const start = (shopPort = 0) => startWorld({ startShop, gatewayPort: 0, shopPort, data })

test('a payment made while the shop was down is found when it is up again', async () => {
  const before = await start()
  const browser = new Browser()
  await browser.open(before.shop.url)
  await browser.press(/willow/)
  // The shop goes down, and the customer pays.
  await before.shop.close()
  const card = { credit_card_number: '4444555566661111', expiry: '1239', cvv2: '123', card_printed_name: 'J' }
  await browser.press(/^Pay/, card)
  await before.gateway.settled()
  const [order] = before.database.rows.orders(1)
  before.database.close()
  await before.gateway.close()

  const after = await start()
  const customer = new Browser()
  await customer.open(`${after.shop.url}/orders/${order?.id}`)
  expect((await customer.settle()).text).toContain('Paid')
  await after.close()
})

test('a payment that the shop recorded but never sent is shown as such when it is up again', async () => {
  const before = await start()
  await before.database.write((rows) => {
    const asked = { shopOrder: 'A', kind: 'sale', amount: 1042n, status: 'sent', createdAt: 1 } as const
    rows.openOrder({ id: 'A', name: 'Hazel', amount: 1042n, currency: 'USD', createdAt: 1 })
    rows.addOperation({ name: 'payment of A', ...asked })
  })
  await before.close()
  const after = await start()
  const office = await officeOf(after, { url: '/orders/A' })
  await after.close()
  expect(office.page.text).toContain('It was never sent.')
})

test('starting on a port that is taken fails with EADDRINUSE and leaves nothing running', async () => {
  const one = await start()
  const { port } = new URL(one.shop.url)
  const setup = { ...one, merchant: one.gateway.merchant, gateway: '', log: () => {} }
  await expect(startShop({ ...setup, port: Number(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await one.close()
})
