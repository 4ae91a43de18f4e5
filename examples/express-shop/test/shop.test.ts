import { type Browser, officeOf, startWorld, type World } from '@tallystick/shop-kit'
import { cards } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startShop } from '../src/start-shop.ts'
import { buy, newBrowser } from './customer.ts'

let world: World
beforeEach(async () => {
  world = await startWorld({ startShop, gatewayPort: 0, shopPort: 0 })
})
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
})

const HAZEL = 'Tally stick of hazel'
const YEW = 'Set of yew'

/** Buys a product. Ends at the page of its order, once it no longer changes. */
async function bought(product: string, card = cards.approved): Promise<Browser> {
  const browser = await buy(world, product, card)
  await browser.settle()
  return browser
}

test('[F-E10] the workbench is at the address that is printed, and its key opens what happened', async () => {
  await bought(HAZEL)
  const { origin, searchParams } = new URL(world.workbench)
  expect((await fetch(world.workbench)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  const recording = `${origin}/__sandbox/recording`
  expect((await fetch(recording)).status).toBe(401)
  const headers = { authorization: `Bearer ${searchParams.get('token')}` }
  expect(await (await fetch(recording, { headers })).text()).toContain('"type":"callback"')
})

describe('a customer', () => {
  test("pays on the gateway's page, and the order page shows it", async () => {
    const { page } = await bought(HAZEL)
    expect(page.url).toMatch(/\/orders\/\w{12}$/)
    expect(page.text).toContain('Paid')
    expect(page.text).toContain('$10.42')
  })

  test('confirms with the bank, if the bank asks', async () => {
    expect((await bought(HAZEL, cards.threeDs)).page.text).toContain('Paid')
  })

  test('sees when the payment was declined', async () => {
    expect((await bought(HAZEL, cards.insufficientFunds)).page.text).toContain('Not paid')
  })

  test('has an order page that updates itself until the outcome is known, and links to the payment', async () => {
    const browser = await newBrowser(world.shop.url)
    const { url } = await browser.press(new RegExp(HAZEL))
    const [order] = world.database.rows.orders(1)
    const { refreshAfter, text, html } = await browser.open(`${world.shop.url}/orders/${order?.id}`)
    expect(refreshAfter).toBeGreaterThan(0)
    expect(text).toContain('Waiting for the payment')
    expect(text).toContain('do not pay a second time')
    expect(html).toContain(`<a class="button" href="${url}" autofocus>`)
  })

  test('is not kept waiting for a payment whose request never arrived', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    world.gateway.next('saleForm').loseReplyBeforeCommit()
    const browser = await newBrowser(world.shop.url)
    expect((await browser.press(/willow/)).text).toContain('Waiting for the payment')
    for (let others = 0; others < 5; others++) {
      vi.setSystemTime(Date.now() + 10 * 60_000)
      await (await newBrowser(world.shop.url)).press(/willow/) // the gateway knows the orders of others
      await world.shop.journal.settled()
    }
    expect((await browser.open(browser.page.url)).text).toContain('Not paid You were not charged.')
  })

  test('gets 404 for a product or order that does not exist', async () => {
    const body = new URLSearchParams({ product: 'gold' })
    expect((await fetch(`${world.shop.url}/orders`, { method: 'POST', body })).status).toBe(404)
    expect((await newBrowser(`${world.shop.url}/orders/none`)).page.status).toBe(404)
  })
})

describe('the back office', () => {
  test('captures and returns a part, and shows which rule forbids the rest', async () => {
    const customer = await bought(YEW)
    const office = await officeOf(world, customer.page)
    await office.press(/^Capture/, { amount: '80.00' })
    expect((await office.settle()).text).toContain('On hold €40.00 Captured €80.00')
    await office.press(/^Return/, { amount: '30.00' })
    expect((await office.settle()).text).toContain('Refunded €30.00 Kept €50.00')
    const { text: told } = await customer.open(customer.page.url)
    expect(told).toMatch(/Reservation €120.00 .* done Charge from the reservation €80.00 .* done Refund €30.00 .* done/)
    expect(told).not.toMatch(/preauth|capture|reversal|approved/)
    await office.press(/^Void/)
    const { text } = await office.settle()
    expect(text).toContain('On hold €0.00')
    expect(text).toContain('Not now: nothing is on hold any more (rule S3-01).')
    await expect(office.press(/^Capture/)).rejects.toThrow('cannot be pressed')
  })

  test('sends one request, however often a button is pressed', async () => {
    const customer = await bought(YEW)
    const [one, other] = [await officeOf(world, customer.page), await officeOf(world, customer.page)]
    await Promise.all([one.press(/^Capture/, { amount: '10.00' }), other.press(/^Capture/, { amount: '10.00' })])
    expect((await one.settle()).text).toContain('On hold €110.00 Captured €10.00')
  })

  test.for<readonly [amount: string, reason: string]>([
    ['120.01', 'the amount exceeds what is left on hold (rule G5-07)'],
    ['0', 'the amount must be above zero (rule order-money)'],
    ['ten', 'the amount must be a number such as 10.50'],
  ])('refuses to capture %s', async ([amount, reason]) => {
    const office = await officeOf(world, (await bought(YEW)).page)
    const { status, text } = await office.press(/^Capture/, { amount })
    expect(status).toBe(409)
    expect(text).toContain(reason)
  })

  test('charges a stored card again, once for each number', async () => {
    const customer = await bought('A stick of ash')
    const office = await officeOf(world, customer.page)
    await office.press(/^Store card/)
    await office.press(/^Rebill/, { period: '2' })
    expect((await office.settle()).text).toContain('Paid')
    const { url } = office.page
    await office.open(customer.page.url.replace('/orders/', '/back-office/orders/'))
    expect((await office.press(/^Rebill/, { period: '2' })).url).toBe(url)
    await office.open(customer.page.url.replace('/orders/', '/back-office/orders/'))
    expect((await office.press(/^Rebill/, { period: 'soon' })).status).toBe(409)
  })

  test('is notified of a chargeback by the issuer', async () => {
    const customer = await bought(HAZEL)
    const id = new URL(customer.page.url).pathname.split('/').at(-1) ?? ''
    const orderId = world.database.rows.order(id)?.orderId ?? ''
    await world.gateway.chargeback(orderId)
    await expect
      .poll(async () => (await customer.open(customer.page.url)).text, { timeout: 10_000 })
      .toContain('Charged back')
  })
})

describe('anyone else', () => {
  test('a forged callback changes nothing, and is refused', async () => {
    const query = new URLSearchParams({
      status: 'approved',
      orderid: '123456789012345',
      merchant_order: 'a-1-a',
      client_orderid: 'a-1-a',
      control: '0'.repeat(40),
    })
    expect((await fetch(`${world.shop.url}/payments/callback?${query}`)).status).toBe(403)
  })

  test('a browser that returns without a payment sees the shop', async () => {
    const { page } = await newBrowser(`${world.shop.url}/payments/return`)
    expect(page.url).toBe(`${world.shop.url}/`)
  })

  test('a form of another site is refused', async () => {
    for (const path of ['/orders', '/back-office/orders/none/void']) {
      const headers = { origin: 'https://evil.example.com' }
      const reply = await fetch(world.shop.url + path, { method: 'POST', headers, body: new URLSearchParams() })
      expect(reply.status).toBe(403)
    }
  })

  test('the answer to an unreadable request says nothing of the internals', async () => {
    const body = new URLSearchParams({ product: 'x'.repeat(200_000) })
    const reply = await fetch(`${world.shop.url}/orders`, { method: 'POST', body })
    expect(reply.status).toBe(413)
    const page = await reply.text()
    expect(page).toContain('This did not work')
    expect(page).not.toContain('node_modules')
  })

  test('no page may run a script, load anything from other sites, or be framed', async () => {
    for (const path of ['/', '/back-office', '/nothing']) {
      const { headers } = await fetch(world.shop.url + path)
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })
})
