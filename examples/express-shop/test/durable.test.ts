import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Browser, checkout, officeOf, startWorld } from '@tallystick/shop-kit'
import { cards } from '@tallystick/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startShop } from '../src/start-shop.ts'
import { buy, newBrowser } from './customer.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'shop-test-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const start = () => startWorld({ startShop, gatewayPort: 0, shopPort: 0, data })

test('a payment made while the shop was down is found when it is up again', async () => {
  const before = await start()
  const browser = new Browser()
  await browser.open(before.shop.url)
  const form = await browser.press(/willow/)
  // The shop goes down, and the customer pays.
  await before.shop.close()
  await browser.press(/^Pay/, {
    credit_card_number: '4444555566661111',
    expiry: '1239',
    cvv2: '123',
    card_printed_name: 'J',
  })
  expect(form.text).toContain('€7.00')
  await before.gateway.settled()
  const [order] = before.database.rows.orders(1)
  await before.gateway.close()
  before.database.close()

  const after = await start()
  const customer = await newBrowser(`${after.shop.url}/orders/${order?.id}`)
  expect((await customer.settle()).text).toContain('Paid')
  await after.close()
})

test('no file of the shop or of the gateway has a card number in clear text', async () => {
  const world = await start()
  await (await buy(world, 'hazel', cards.approved)).settle()
  const files = readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1'))
  await world.close()
  expect(files.length).toBeGreaterThan(2)
  expect(files.filter((text) => text.includes(cards.approved.cardNumber))).toEqual([])
})

test('the customer sees that the gateway refused the payment, but only the back office sees its message', async () => {
  const world = await start()
  const { client, database, shop } = world
  const addresses = { callback: `${shop.url}/payments/callback`, comeBack: `${shop.url}/payments/return` }
  const till = { client, database, journal: shop.journal, addresses, now: Date.now }
  const inPounds = { id: 'oak', name: 'Oak', about: '', price: '9.50', currency: 'GBP', kind: 'sale' } as const
  const { shopOrder, payUrl } = await checkout(till, inPounds, '192.0.2.1')
  expect(payUrl).toBeUndefined()
  const { page } = await newBrowser(`${world.shop.url}/orders/${shopOrder}`)
  expect(page.text).toContain('Not paid You were not charged.')
  expect(page.text).not.toContain('currency')
  const office = await officeOf(world, { url: `/orders/${shopOrder}` })
  expect(office.page.text).toMatch(/currency \(currency\) must be one of USD, EUR/)
  await world.close()
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
  const { page } = await newBrowser(`${after.shop.url}/orders/A`)
  const office = await officeOf(after, { url: '/orders/A' })
  await after.close()
  expect(page.text).toContain('Not paid You were not charged.')
  expect(office.page.text).toContain('It was never sent.')
})
