import { createHash } from 'node:crypto'
import { Secret } from '@tallystick/core'
import { createSandbox, type Listener, listen } from '@tallystick/gateway'
import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import { cards, saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openCallbackShop } from './support/callback-shop.ts'
import { moves, visit } from './support/visit.ts'
import { WINDOWS } from './support/windows.ts'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
const SCHEMES = [
  ['at a desk, light', { ...WINDOWS['at a desk'], colorScheme: 'light' }],
  ['on a phone, dark', { ...WINDOWS['on a phone'], colorScheme: 'dark' }],
] as const

describe.skipIf(findChromium() === undefined)('the workbench in a browser', () => {
  let browser: Browser
  let gateway: TestGateway
  let listener: Listener
  let shop: Awaited<ReturnType<typeof openCallbackShop>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    gateway = await startGateway()
    listener = await listen(createSandbox(gateway, { operatorKey: new Secret(KEY) }), { lingerMs: 0 })
    shop = await openCallbackShop()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await Promise.all([listener.close(), shop.close()])
    await gateway.close()
  })

  const open = async (place = '', options: BrowserContextOptions = {}) =>
    await visit(
      await browser.newContext({ ...WINDOWS['at a desk'], ...options }),
      `${listener.origin}/?token=${KEY}${place}`,
    )

  /** Pays, and gives the gateway's id. */
  async function paid(clientOrderId: string, card = cards.approved): Promise<string> {
    const input = saleInput({ ...card, clientOrderId, serverCallbackUrl: `${shop.origin}/callback` })
    const result = await gateway.client().sale(input)
    await gateway.settled()
    const orderId = result.outcome === 'accepted' ? result.reply.orderId : undefined
    if (orderId === undefined) throw new Error(`The sale has no order: ${result.outcome}`)
    return orderId
  }

  /** A sale whose control was made of the amount as the form has it, which is the mistake that most shops make first. */
  async function refused(clientOrderId: string): Promise<void> {
    const { baseUrl, endpointId, controlKey } = gateway.merchant
    const email = 'john.smith@example.com'
    const key = typeof controlKey === 'string' ? controlKey : controlKey.reveal()
    const form = {
      client_orderid: clientOrderId,
      order_desc: 'A first payment',
      address1: '1 Main St',
      city: 'Berlin',
      zip_code: '10115',
      country: 'DE',
      phone: '+4930123456',
      email,
      ipaddress: '203.0.113.7',
      amount: '10.42',
      currency: 'EUR',
      credit_card_number: '4444333322221111',
      card_printed_name: 'JOHN SMITH',
      expire_month: '12',
      expire_year: '2039',
      cvv2: '987',
      control: createHash('sha1').update(`${endpointId}${clientOrderId}10.42${email}${key}`).digest('hex'),
    }
    const headers = { accept: 'application/vnd.pay+json' }
    const address = `${baseUrl}/api/v2/sale/${endpointId}`
    const reply = await fetch(address, { method: 'POST', headers, body: new URLSearchParams(form) })
    expect(reply.status).toBe(403)
  }

  const goTo = async (page: Page, place: string, heading: string | RegExp) => {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }

  const requestId = (clientOrderId: string) => {
    for (const event of gateway.recording?.events() ?? [])
      if (event.type === 'request' && event.form?.includes(`client_orderid=${clientOrderId}&`)) return event.id
    throw new Error(`no request for ${clientOrderId}`)
  }

  test.for(SCHEMES)(
    '[F-E10] [F-E13] [F-E14] every page %s: accessible, as wide as its window, from this port alone, without a card number or key',
    async ([, options]) => {
      shop.answers(500)
      const orderId = await paid('inv-1')
      await refused('inv-2')
      const { page, complaints, fetched } = await open('', options)
      const places = [
        ['#/live', 'Live'],
        [`#/request/${requestId('inv-2')}`, 'sale'],
        [`#/request/${requestId('inv-1')}`, 'sale'],
        [`#/order/${orderId}`, 'inv-1'],
        ['#/callbacks', 'Callbacks'],
        ['#/errors', 'Errors'],
        ['#/time', 'Time'],
        ['#/set-up', 'Set-up'],
        ['#/nowhere', /There is no page/],
      ] as const
      const { controlKey } = gateway.merchant
      const secrets = [KEY, typeof controlKey === 'string' ? controlKey : controlKey.reveal(), '4444333322221111']
      for (const [place, heading] of places) {
        await goTo(page, place, heading)
        expect([place, await violationsOf(page), await overflow(page)]).toEqual([place, [], 0])
        const said = await page.content()
        for (const secret of secrets) expect(said.includes(secret)).toBe(false)
        expect(page.url()).not.toContain(KEY)
      }
      expect(complaints).toEqual([])
      expect([...new Set(fetched.map(({ url }) => new URL(url).origin))].filter((origin) => origin !== 'null')).toEqual(
        [listener.origin],
      )
    },
  )

  test('[F-E11] [F-E13] a refused signature: the cause, what to change, and both texts with what differs', async () => {
    await refused('inv-2')
    const { page } = await open()
    await page.getByRole('link', { name: /inv-2/ }).click()
    const why = page.getByRole('region', { name: 'Why it was refused' })
    await why.waitFor()
    const { endpointId } = gateway.merchant
    expect(await why.textContent()).toContain('amount-in-units')
    expect(await why.textContent()).toContain('10.42 is signed as 1042')
    // Three digits may be on the page by chance: what counts is what stands in place of the code.
    expect(await page.getByRole('row', { name: 'cvv2' }).textContent()).toBe('cvv2***')
    const sent = page.getByRole('region', { name: 'As sent' })
    const forms = await sent.locator('pre', { hasText: 'cvv2=' }).allInnerTexts()
    expect(forms).toEqual(Array(2).fill(expect.stringContaining('&cvv2=***&')))
    const [signed, toSign] = await why.locator('pre').allInnerTexts()
    expect(signed).toBe(`${endpointId}inv-210.42john.smith@example.com[key]`)
    expect(toSign).toBe(`${endpointId}inv-21042john.smith@example.com[key]`)
    expect(await why.locator('mark').allInnerTexts()).toEqual(['.', ''])
    expect(await sent.locator('pre', { hasText: 'curl' }).textContent()).toContain(
      `'${gateway.merchant.baseUrl}/api/v2/sale/${endpointId}'`,
    )
  })

  test('[F-E12] requests show as they come, are found and paused, and the search is in the address', async () => {
    const { page } = await open()
    await page.getByText('Nothing has come in yet').waitFor()
    await paid('inv-1')
    await page.getByRole('link', { name: /request sale inv-1/ }).waitFor()
    expect(await moves(page)).toEqual([])
    await paid('inv-2', cards.declined)
    await page.getByRole('link', { name: /request sale inv-2/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('inv-2 sale')
    expect(await page.getByRole('listitem').filter({ hasText: 'inv-1' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: /request sale inv-2/ }).count()).toBe(1)
    expect(new URL(page.url()).hash).toBe('#/live?q=inv-2+sale')
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByRole('button', { name: 'Pause' }).click()
    await paid('inv-3')
    await page.getByText(/Paused, [1-9]\d* new events/).waitFor()
    expect(await page.getByRole('link', { name: /inv-3/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('link', { name: /request sale inv-3/ }).waitFor()
  })

  test('[F-E12] an order has what happened in one line of time, with what was posted', async () => {
    const orderId = await paid('inv-1')
    const { page } = await open(`#/order/${orderId}`)
    await page.getByRole('heading', { level: 1, name: 'inv-1' }).waitFor()
    const steps = page.locator('.timeline > li')
    const who = await steps.locator('.kind').allInnerTexts()
    expect(new Set(who)).toEqual(new Set(['shop', 'bank', 'state', 'gateway', 'callback']))
    expect(await steps.filter({ hasText: 'approved: sale of 10.42 USD' }).textContent()).toMatch(/payer\s+-10\.42/)
    const books = page.getByRole('table', { name: 'Postings in USD' })
    expect(await books.getByRole('row', { name: /^Sum/ }).locator('td').allInnerTexts()).toEqual(['-10.42', '10.42'])
    const states = page.getByRole('region', { name: 'States' })
    const way = states.getByRole('img', { name: 'States of the sale: created, then sent, then approved' })
    expect(await way.locator('.node.now').textContent()).toBe('approved')
    expect(await way.locator('.edge.taken').count()).toBe(2)
    expect(
      await states.getByRole('img', { name: 'Operations: sale, reversal (not made), chargeback (not made)' }).count(),
    ).toBe(1)
  })

  test('[F-E12] a callback that is not acknowledged has its attempts, is due, and is sent again', async () => {
    shop.answers(500)
    await paid('inv-1')
    const { page } = await open('#/callbacks')
    await page.getByText('not acknowledged yet').waitFor()
    expect(await page.locator('.attempts > li').count()).toBe(1)
    await goTo(page, '#/time', 'Time')
    await page.getByText(`callback to ${shop.origin}/callback`).waitFor()
    await page.getByRole('button', { name: 'Advance to what is due next' }).click()
    await page.getByText('What fell due on the way is done').waitFor()
    await goTo(page, '#/errors', 'Errors')
    await page.getByRole('heading', { name: 'callback answered 500' }).waitFor()
    await goTo(page, '#/callbacks', 'Callbacks')
    await page.locator('.attempts > li').nth(1).waitFor()
    shop.answers(200)
    await page.getByRole('button', { name: 'Send again the callbacks of inv-1' }).click()
    await page.getByText('acknowledged', { exact: true }).waitFor()
    expect(shop.called()).toBe(3)
  })

  test('[F-E13] after a reload the page asks for the key, and a wrong one shows nothing', async () => {
    await paid('inv-1')
    const { page } = await open()
    await page.getByRole('link', { name: /inv-1/ }).first().waitFor()
    await page.reload()
    const field = page.getByLabel('Operator key')
    await field.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await field.fill(`${KEY}0`)
    await field.press('Enter')
    await page.getByText('The sandbox says').waitFor()
    expect(await page.getByText('inv-1').count()).toBe(0)
    await field.fill(KEY)
    await field.press('Enter')
    await page.getByRole('link', { name: /inv-1/ }).first().waitFor()
  })

  test('[F-E14] by keyboard alone: from the pages to a request, and what has the focus is seen', async () => {
    await refused('inv-2')
    const { page } = await open()
    await page.getByRole('link', { name: /inv-2/ }).waitFor()
    const focused = () =>
      page.evaluate<string>('document.activeElement.matches("a.row") ? document.activeElement.textContent : ""')
    const outline = () => page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
    for (let presses = 0; presses < 20 && !(await focused()).includes('inv-2'); presses++) {
      await page.keyboard.press('Tab')
      expect(await outline()).toBe('solid')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Why it was refused' }).waitFor()
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('MAIN')
  })
})
