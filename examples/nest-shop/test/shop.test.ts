import { Browser, buy, officeOf, type Page, startWorld, type World } from '@tallystick/shop-kit'
import { cards } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startShop } from '../src/start-shop.ts'

let world: World
beforeEach(async () => {
  world = await startWorld({ startShop, gatewayPort: 0, shopPort: 0 })
})
afterEach(() => world.close())

const HAZEL = 'Tally stick of hazel'
const YEW = 'Set of yew'
const ASH = 'A stick of ash'

/** Buys a product. Ends at the page of its order, once it no longer changes. */
async function bought(product: string, card = cards.approved): Promise<Browser> {
  const browser = await buy(world.shop.url, product, card)
  await browser.settle()
  return browser
}

/** Buys a product. Ends in the back office, at its order. */
async function officeOfBought(product: string): Promise<Browser> {
  return await officeOf(world, (await bought(product)).page)
}

/** Signed in to the back office. */
function staffBrowser(): Browser {
  return new Browser({ at: world.shop.url, user: 'staff', password: world.staffPassword })
}

/** The id of the order that a page shows. */
function idOf({ url }: Page): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

describe('a customer', () => {
  test.for([
    ["pays on the gateway's page", cards.approved, 'Paid'],
    ['confirms with the bank', cards.threeDs, 'Paid'],
    ['sees when the payment was declined', cards.insufficientFunds, 'Not paid'],
  ] as const)('%s', async ([, card, state]) => {
    const { page } = await bought(HAZEL, card)
    expect(page.url).toMatch(/\/orders\/\w{12}$/)
    expect(page.text).toContain(state)
    expect(page.text).toContain('$10.42')
  })

  test('has an order page that updates itself until the outcome is known, and links to the payment', async () => {
    const browser = new Browser()
    await browser.open(world.shop.url)
    const { url } = await browser.press(new RegExp(HAZEL))
    const [order] = world.database.rows.orders(1)
    const page = await browser.open(`${world.shop.url}/orders/${order?.id}`)
    expect(page.refreshAfter).toBeGreaterThan(0)
    expect(page.text).toContain('Waiting for the payment')
    expect(page.html).toContain(`<a class="button" href="${url}" autofocus>`)
  })

  test('who returns without a payment sees the shop', async () => {
    const page = await new Browser().open(`${world.shop.url}/payments/return`)
    expect(page.url).toBe(`${world.shop.url}/`)
  })
})

describe('the back office', () => {
  test('captures, returns and voids, and shows the new sums', async () => {
    const office = await officeOfBought(YEW)
    await office.press(/^Capture/, { amount: '80.00' })
    expect((await office.settle()).text).toContain('On hold €40.00 Captured €80.00')
    await office.press(/^Return/, { amount: '30.00' })
    expect((await office.settle()).text).toContain('Refunded €30.00 Kept €50.00')
    await office.press(/^Void/)
    expect((await office.settle()).text).toContain('Not now: nothing is on hold any more (rule S3-01).')
  })

  test('names the rule by which it refuses', async () => {
    const office = await officeOfBought(YEW)
    const { status, text } = await office.press(/^Capture/, { amount: '120.01' })
    expect(status).toBe(409)
    expect(text).toContain('the amount exceeds what is left on hold (rule G5-07)')
  })

  test('stores a card, and charges it again', async () => {
    const office = await officeOfBought(ASH)
    await office.press(/^Store card/)
    const { url } = office.page
    expect((await office.press(/^Rebill/, { period: 'soon' })).status).toBe(409)
    await office.open(url)
    await office.press(/^Rebill/, { period: '2' })
    const { text } = await office.settle()
    expect(text).toContain('number 2')
    expect(text).toContain('Paid')
  })

  test('lists the orders, and the outcomes that the journal has reported', async () => {
    const { page } = await bought(HAZEL)
    const id = idOf(page)
    const { text } = await staffBrowser().open(`${world.shop.url}/back-office`)
    expect(text).toContain(id)
    expect(text).toContain(`payment of ${id} $10.42 saleForm approved`)
  })
})

test('the order page shows a later chargeback by the issuer', async () => {
  const customer = await bought(HAZEL)
  await world.gateway.chargeback(world.database.rows.order(idOf(customer.page))?.orderId ?? '')
  await expect
    .poll(async () => (await customer.open(customer.page.url)).text, { timeout: 10_000 })
    .toContain('Charged back')
})

describe('anyone else', () => {
  const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    fetch(world.shop.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) })

  test('a forged callback is refused', async () => {
    const callback = {
      status: 'approved',
      orderid: '123456789012345',
      client_orderid: 'a-1-a',
      merchant_order: 'a-1-a',
    }
    const reply = await post('/payments/callback', { ...callback, control: '0'.repeat(40) })
    expect(reply.status).toBe(403)
  })

  test('a form of another site is refused, except on the payment routes', async () => {
    const id = idOf((await bought(HAZEL)).page)
    const evil = { origin: 'https://evil.example.com' }
    for (const path of ['/orders', `/back-office/orders/${id}/void`]) {
      const reply = await post(path, { product: 'hazel', number: '1' }, evil)
      expect(reply.status).toBe(403)
      expect(await reply.text()).toContain('This form was sent from another site')
    }
    expect((await post('/payments/return', {}, { origin: 'https://bank.example.com' })).url).toBe(`${world.shop.url}/`)
  })

  test.for([
    ['/orders/none', 'There is no such order'],
    ['/back-office/orders/none', 'There is no such order'],
    ['/nothing', 'There is no such page'],
  ])('%s does not exist', async ([path, title]) => {
    const { status, text } = await staffBrowser().open(world.shop.url + path)
    expect(status).toBe(404)
    expect(text).toContain(title)
  })

  test('a product or an action that the shop does not have gets 404', async () => {
    const id = idOf((await bought(HAZEL)).page)
    expect((await post('/orders')).status).toBe(404)
    const staff = { authorization: `Basic ${btoa(`staff:${world.staffPassword}`)}` }
    expect((await post(`/back-office/orders/${id}/steal`, {}, staff)).status).toBe(404)
    const withoutBody = await fetch(`${world.shop.url}/orders`, { method: 'POST' })
    expect(withoutBody.status).toBe(404)
  })

  test('the answer to an unreadable request says nothing of the internals', async () => {
    const reply = await post('/orders', { product: 'x'.repeat(200_000) })
    expect(reply.status).toBe(413)
    const page = await reply.text()
    expect(page).toContain('This did not work')
    expect(page).not.toMatch(/node_modules|FST_ERR/)
  })

  test('no page may run a script, load anything from other sites, or be framed', async () => {
    for (const path of ['/', '/back-office', '/nothing']) {
      const { headers } = await fetch(world.shop.url + path)
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('the operator of the shop', () => {
  test('learns whether it is ready, and whether its gateway answers', async () => {
    for (const path of ['/health', '/health/gateway']) {
      const reply = await fetch(world.shop.url + path)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(await reply.json()).toMatchObject({ status: 'up', payments: { instance: 'default' } })
    }
  })
})
