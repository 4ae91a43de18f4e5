import { createHash } from 'node:crypto'
import { Secret } from '@tallystick/core'
import { createSandbox, FAULTS, type Listener, listen } from '@tallystick/gateway'
import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import { saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moves, visit } from './support/visit.ts'
import { WINDOWS } from './support/windows.ts'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
const CARD = '4444333322221111'
const SCHEMES = [
  ['at a desk, light', { ...WINDOWS['at a desk'], colorScheme: 'light' }],
  ['on a phone, dark', { ...WINDOWS['on a phone'], colorScheme: 'dark' }],
] as const

describe.skipIf(findChromium() === undefined)('requests and faults in the workbench', () => {
  let browser: Browser
  let gateway: TestGateway
  let listener: Listener
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    gateway = await startGateway()
    listener = await listen(createSandbox(gateway, { operatorKey: new Secret(KEY) }), { lingerMs: 0 })
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await listener.close()
    await gateway.close()
  })

  const open = async (place = '', options: BrowserContextOptions = {}) =>
    await visit(
      await browser.newContext({ ...WINDOWS['at a desk'], ...options }),
      `${listener.origin}/?token=${KEY}${place}`,
    )

  const controlKey = () => {
    const { controlKey: key } = gateway.merchant
    return typeof key === 'string' ? key : key.reveal()
  }

  /** A sale whose control was made of the amount as the form has it. Returns the id of its request. */
  async function refused(clientOrderId: string): Promise<number> {
    const { baseUrl, endpointId } = gateway.merchant
    const email = 'john.smith@example.com'
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
      credit_card_number: CARD,
      card_printed_name: 'JOHN SMITH',
      expire_month: '12',
      expire_year: '2039',
      cvv2: '987',
      control: createHash('sha1').update(`${endpointId}${clientOrderId}10.42${email}${controlKey()}`).digest('hex'),
    }
    const headers = { accept: 'application/vnd.pay+json' }
    const reply = await fetch(`${baseUrl}/api/v2/sale/${endpointId}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    })
    expect(reply.status).toBe(403)
    return Array.from(gateway.recording?.events() ?? []).findLast(({ type }) => type === 'request')?.id ?? 0
  }

  const lastReply = () => Array.from(gateway.recording?.events() ?? []).findLast(({ type }) => type === 'reply')

  const goTo = async (page: Page, place: string, heading: string | RegExp) => {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }

  test.for(SCHEMES)(
    '[F-E31] [F-E32] [F-E33] [F-E13] [F-E14] each page %s: accessible, as wide as its window, without a key or a card that was sent',
    async ([, options]) => {
      const id = await refused('inv-2')
      gateway.faults.forOrder('inv-3', 'callback-twice')
      const { page, complaints } = await open('', options)
      const places = [
        [`#/request/${id}`, 'sale', 'Send again'],
        ['#/faults', 'Faults', 'All faults'],
        ['#/faults?fault=html-page&order=inv-9', 'Faults', 'All faults'],
        ['#/explorer', 'Explorer', 'Reads'],
        ['#/explorer/sale', 'sale', undefined],
        ['#/explorer/capture', 'capture', undefined],
        ['#/explorer/nothing', 'nothing', undefined],
      ] as const
      for (const [place, heading, section] of places) {
        await goTo(page, place, heading)
        if (section !== undefined) await page.getByRole('heading', { level: 2, name: section }).waitFor()
        else await page.locator('form.request, .empty').first().waitFor()
        expect([place, await violationsOf(page), await overflow(page)]).toEqual([place, [], 0])
        const said = await page.content()
        for (const secret of [KEY, controlKey(), CARD]) expect([place, said.includes(secret)]).toEqual([place, false])
      }
      expect(complaints).toEqual([
        // The browser says of itself that an operation that there is not is a 400.
        expect.stringContaining('400'),
      ])
    },
  )

  test.for([
    ['a refused request', 'request', 'Send again'],
    ['faults', '#/faults', 'All faults'],
    ['an operation', '#/explorer/sale', undefined],
    ['every operation', '#/explorer', 'Reads'],
  ] as const)('[F-E14] nothing moves when %s comes', async ([, place, section]) => {
    const id = await refused('inv-2')
    const { page } = await open(place === 'request' ? `#/request/${id}` : place)
    if (section === undefined) await page.locator('form.request').waitFor()
    else await page.getByRole('heading', { level: 2, name: section }).waitFor()
    expect(await moves(page)).toEqual([])
  })

  test('[F-E31] a refused signature has code that signs it right, in each language', async () => {
    const id = await refused('inv-2')
    const { page } = await open(`#/request/${id}`)
    const right = page.getByRole('region', { name: 'Sign it right' })
    await right.waitFor()
    expect(await right.getByRole('listitem').allInnerTexts()).toEqual([
      'credit_card_number is not recorded: 4444555566661111 stands for it.',
      'cvv2 is not recorded: 123 stands for it.',
    ])
    for (const [language, begins] of [
      ['curl', '# endpointId, clientOrderId, amountInCents, email, key'],
      ['TypeScript', 'import { createPaymentClient }'],
      ['PHP', '<?php'],
      ['Python', 'import hashlib'],
    ] as const) {
      await right.getByRole('button', { name: language, exact: true }).click()
      const code = (await right.locator('pre').textContent()) ?? ''
      expect(code.startsWith(begins)).toBe(true)
      expect(code).toContain('TALLYSTICK_CONTROL_KEY')
    }
  })

  test('[F-E32] by keyboard alone a recorded request is changed, sent again and looked at', async () => {
    const id = await refused('inv-2')
    const { page } = await open(`#/request/${id}`)
    const again = page.getByRole('region', { name: 'Send again' })
    const amount = again.getByLabel('amount')
    await amount.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('11.50')
    await page.keyboard.press('Enter')
    await again.getByRole('link', { name: /^Order/ }).waitFor()
    expect(lastReply()).toMatchObject({ verifiedBy: 'control', clientOrderId: 'inv-2', httpStatus: 200 })
    await again.getByRole('link', { name: /^Request/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'As code' }).waitFor()
    expect(await page.getByRole('row', { name: 'amount' }).first().textContent()).toBe('amount11.50')
  })

  test('[F-E33] a fault is asked for, strikes and is forgotten; a share of all orders draws one by a seed', async () => {
    const { page } = await open('#/faults')
    await page.getByText('Nothing is asked for').waitFor()
    expect(await page.locator('.cards > li').count()).toBe(Object.keys(FAULTS).length)
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('overloaded')
    await page.getByRole('button', { name: 'Ask for it' }).click()
    await page.getByText('The next sale has overloaded.').first().waitFor()
    const asked = page.getByRole('region', { name: 'Asked for' })
    await asked.getByText('overloaded').waitFor()
    expect((await gateway.client().sale(saleInput({ clientOrderId: 'inv-1' }))).outcome).not.toBe('accepted')
    await page.getByRole('region', { name: 'Struck' }).getByText('overloaded: inv-1').waitFor()
    await asked.getByText('Nothing is asked for').waitFor()

    await page.getByRole('combobox', { name: 'For' }).selectOption('all')
    await page.getByRole('combobox', { name: 'Fault' }).selectOption('html-page')
    await page.getByLabel('Share in percent').fill('100')
    await page.getByLabel('Seed').fill('7')
    await page.getByRole('button', { name: 'Ask for it' }).click()
    await asked.getByText('100 % of all orders draw html-page, by the seed 7').waitFor()
    expect((await gateway.client().sale(saleInput())).outcome).toBe('unknown')
    await asked.getByRole('button', { name: 'Forget them all' }).click()
    await asked.getByText('Nothing is asked for').waitFor()
    expect((await gateway.client().sale(saleInput())).outcome).toBe('accepted')

    await page.getByRole('combobox', { name: 'For' }).selectOption('order')
    await page.getByLabel("Order, by the shop's id").fill('inv-5')
    await page.getByLabel("Order, by the shop's id").press('Enter')
    await asked.getByRole('link', { name: 'inv-5' }).waitFor()
    expect(gateway.faults.list().orders).toMatchObject([{ clientOrderId: 'inv-5' }])
  })

  test('[F-E30] [F-E32] every operation has a form with an example, which is sent; the next takes the order that it made', async () => {
    const { page } = await open('#/explorer')
    await page.getByRole('link', { name: /^preauth / }).waitFor()
    expect(await page.locator('a.operation').count()).toBe(32)
    await goTo(page, '#/explorer/capture', 'capture')
    await page.getByText('The orderId below is made up').waitFor()
    await page.getByRole('link', { name: 'preauth', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'preauth' }).waitFor()
    const idShown = () => page.getByLabel('client_orderid').inputValue()
    const example = await idShown()
    await page.getByRole('button', { name: 'New id' }).click()
    await expect.poll(idShown).not.toBe(example)
    const clientOrderId = await idShown()
    await page.getByRole('button', { name: 'Sign and send' }).press('Enter')
    const link = page.getByRole('link', { name: /^Order \d{15}$/ })
    const orderId = ((await link.textContent()) ?? '').slice('Order '.length)
    await gateway.settled()
    // The page has the order once its stream has brought it.
    await goTo(page, '#/live', 'Live')
    await page.getByRole('link', { name: `request preauth ${clientOrderId}` }).waitFor()
    await goTo(page, '#/explorer/capture', 'capture')
    expect(await page.getByLabel('client_orderid').inputValue()).toBe(clientOrderId)
    expect(await page.getByLabel('orderid', { exact: true }).inputValue()).toBe(orderId)
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByRole('link', { name: /^Order/ }).waitFor()
    expect(lastReply()).toMatchObject({ operation: 'capture', httpStatus: 200, orderId })
    await goTo(page, '#/explorer/status?client_orderid=inv-404', 'status')
    expect(await page.getByLabel('client_orderid').inputValue()).toBe('inv-404')
  })
})
