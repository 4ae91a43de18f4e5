import { findChromium, overflow, violationsOf } from '@tallystick/test-browser'
import type { BrowserContext, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FAILURES } from './support/failures.ts'
import { fillIn, submit } from './support/fill-in.ts'
import { visitInPieces } from './support/in-pieces.ts'
import { FORMS, openStage, type Stage } from './support/stage.ts'
import { copyInto, moves, stopForms, stopRefresh, visit } from './support/visit.ts'
import { SCRIPT, WINDOWS } from './support/windows.ts'

describe.skipIf(findChromium() === undefined)('the hosted forms in a browser', () => {
  let stage: Stage
  const customers: BrowserContext[] = []
  beforeAll(async () => {
    stage = await openStage()
  })
  afterEach(() => Promise.all(customers.splice(0).map((customer) => customer.close())))
  afterAll(() => stage.close())

  async function newCustomer(options: Parameters<Stage['newCustomer']>[0]) {
    const customer = await stage.newCustomer({ locale: 'en-GB', ...options })
    customers.push(customer)
    return customer
  }

  describe.each(Object.entries(WINDOWS))('%s', (_, window) => {
    describe.each(Object.entries(SCRIPT))('%s', (_, { javaScriptEnabled }) => {
      test.for(FORMS)('the form of %s is filled in, and the browser goes back', async (form) => {
        const { address, clientOrderId } = await stage.openForm(form)
        const customer = await newCustomer({ ...window, javaScriptEnabled })
        const { page, complaints, fetched } = await visit(customer, address)
        expect(await overflow(page)).toBe(0)
        await fillIn(page, form)
        await submit(page)
        if (!javaScriptEnabled) {
          await page.getByRole('button', { name: 'Continue to the shop' }).click()
        }
        await page.getByRole('heading', { name: 'Thank you' }).waitFor()
        expect(stage.shop.returns.at(-1)).toMatchObject({
          method: 'POST',
          fields: { status: 'approved', client_orderid: clientOrderId },
        })
        expect(await stage.client.status({ clientOrderId })).toMatchObject({ status: 'approved' })
        expect(complaints).toEqual([])
        expect(fetched.filter(({ bytes }) => bytes >= 30_000)).toEqual([])
      })
    })

    test.for(FORMS)(
      '[axe] the form of %s is clean, with its errors and in the dark, and nothing moves',
      async (form) => {
        const customer = await newCustomer({ ...window, colorScheme: 'light' })
        const { page, fetched } = await visit(customer, (await stage.openForm(form)).address)
        expect(await violationsOf(page)).toEqual([])
        await fillIn(page, form, { number: '4444333322221112', expiry: '1320', cvv: '1' })
        await submit(page)
        expect(await page.locator('[aria-invalid=true]').count()).toBeGreaterThan(0)
        expect(await moves(page)).toEqual([])
        expect(fetched).toHaveLength(1)
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await violationsOf(page)).toEqual([])
      },
    )

    test.for(['sale', 'payout'] as const)('the form of %s comes in pieces, and nothing moves', async (form) => {
      const customer = await newCustomer(window)
      const page = await visitInPieces(customer, (await stage.openForm(form)).address)
      expect(await page.getByRole('button').count()).toBe(1)
      expect(await moves(page)).toEqual([])
    })

    test.for([
      ['approved', '123', 'light'],
      ['declined', '999', 'dark'],
    ] as const)('[axe] the way back of what is %s, and nothing moves', async ([, cvv, colorScheme]) => {
      const customer = await newCustomer({ ...window, colorScheme })
      await stopForms(customer)
      const { page } = await visit(customer, (await stage.openForm('sale')).address)
      await fillIn(page, 'sale', { cvv })
      await submit(page)
      await page.getByRole('button', { name: 'Continue to the shop' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await moves(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    })

    test('[axe] the page that waits, in the dark too, and nothing moves', async () => {
      const { address } = await stage.openForm('sale')
      const customer = await newCustomer({ ...window, colorScheme: 'light' })
      const { page } = await visit(customer, address)
      await fillIn(page, 'sale', { cvv: '217' })
      await submit(page)
      await page.getByRole('heading', { name: 'One moment, please' }).waitFor()
      await stopRefresh(customer, address)
      await page.goto(address)
      expect(await violationsOf(page)).toEqual([])
      expect(await moves(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violationsOf(page)).toEqual([])
    })

    test.for(Object.entries(FAILURES))('[axe] the page of %s', async ([status, lead]) => {
      const { page, complaints } = await visit(await newCustomer(window), 'about:blank')
      await lead(page, stage)
      expect(await violationsOf(page)).toEqual([])
      expect(await moves(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      expect(complaints).toEqual([expect.stringContaining(status)])
    })
  })

  test.for(['sale', 'payout'] as const)(
    '[axe] the refusal of %s without script begins with what is wrong',
    async (form) => {
      const customer = await newCustomer({ ...WINDOWS['on a phone'], javaScriptEnabled: false })
      const { page } = await visit(customer, (await stage.openForm(form)).address)
      await page.evaluate('document.forms[0].noValidate = true')
      await submit(page)
      await page.locator('.summary').waitFor()
      expect(await page.title()).toMatch(/^Error: /)
      const [address = ''] = await page.locator('.summary a').evaluateAll((links) => links.map((link) => link.hash))
      expect(await page.locator(address).count()).toBe(1)
      const copy = await (await newCustomer(WINDOWS['on a phone'])).newPage()
      await copyInto(copy, page)
      expect(await violationsOf(copy)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )

  test.for([320, 360, 1280])('in German and %i pixels wide everything fits', async (width) => {
    const customer = await newCustomer({ viewport: { width, height: 800 } })
    for (const form of ['sale', 'payout'] as const) {
      const { address } = await stage.openForm(form, { preferredLanguage: 'de', orderDesc: 'x'.repeat(300) })
      const { page } = await visit(customer, address)
      await submit(page)
      expect(await overflow(page)).toBe(0)
      expect(await moves(page)).toEqual([])
      expect(await violationsOf(page)).toEqual([])
    }
  })

  test.for(['4444333322221111', '6212345678901234567'])('320 pixels wide all of %s can be read', async (number) => {
    const customer = await newCustomer({ viewport: { width: 320, height: 800 } })
    const { page } = await visit(customer, (await stage.openForm('sale')).address)
    await page.getByLabel('Card number').pressSequentially(number)
    const cutOff = 'document.activeElement.scrollWidth - document.activeElement.clientWidth'
    expect(await page.evaluate(cutOff)).toBe(0)
    expect(await page.locator('.brand').textContent()).not.toBe('')
    expect(await moves(page)).toEqual([])
  })

  test.for([
    ['4', 'Visa', '4'],
    ['4444333322221111', 'Visa', '4444 3333 2222 1111'],
    ['51', 'Mastercard', '51'],
    ['2221001234567896', 'Mastercard', '2221 0012 3456 7896'],
    ['378282246310005', 'Amex', '3782 822463 10005'],
    ['6', '', '6'],
    ['4444 3333-2222 1111', 'Visa', '4444 3333 2222 1111'],
    ['999', '', '999'],
  ] as const)('while %s is typed the brand is %s', async ([typed, brand, shown]) => {
    const customer = await newCustomer({})
    const { page } = await visit(customer, (await stage.openForm('sale')).address)
    const field = page.getByLabel('Card number')
    await field.pressSequentially(typed)
    expect([await page.locator('.brand').textContent(), await field.inputValue()]).toEqual([brand, shown])
  })

  test.for([
    ['1239', '12/39'],
    ['012039', '01/2039'],
    ['12/39', '12/39'],
    ['139', '139'],
  ] as const)('the expiry %s is shown as %s while it is typed', async ([typed, shown]) => {
    const { page } = await visit(await newCustomer({}), (await stage.openForm('sale')).address)
    const field = page.getByLabel('Expiry date')
    await field.pressSequentially(typed)
    expect(await field.inputValue()).toBe(shown)
  })

  test('a month that a browser fills in as the HTML standard writes it is taken', async () => {
    const { page } = await visit(await newCustomer({}), (await stage.openForm('sale')).address)
    await fillIn(page, 'sale', { expiry: '2039-12' })
    await submit(page)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  })

  test('an expiry that a browser fills in is shown as on the card', async () => {
    const { page } = await visit(await newCustomer({}), (await stage.openForm('sale')).address)
    const field = page.getByLabel('Expiry date')
    await field.fill('1239')
    expect(await field.inputValue()).toBe('12/39')
  })

  test('a slip of the finger is told beside its field before anything is sent, and costs no try', async () => {
    const customer = await newCustomer({})
    const { page, fetched } = await visit(customer, (await stage.openForm('sale')).address)
    for (let time = 0; time < 5; time++) await submit(page)
    const field = page.getByLabel('Card number')
    expect(await page.evaluate('document.activeElement.id')).toBe('credit_card_number')
    await fillIn(page, 'sale', { number: '4444333322221112' })
    await page.keyboard.press('Tab')
    expect(await page.locator('#credit_card_number-error').textContent()).toContain('Check the card number')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('4444 3333 2222 1111')
    expect(await page.locator('#credit_card_number-error').textContent()).toBe('')
    expect(fetched).toHaveLength(1)
    await submit(page)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  })

  test('a double click pays once, and the back button pays no second time', async () => {
    const customer = await newCustomer({})
    const { address, orderId } = await stage.openForm('sale')
    const { page } = await visit(customer, address)
    await fillIn(page, 'sale')
    await page.locator('form button').dblclick()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(stage.executed.filter((each) => each === orderId)).toHaveLength(1)
  })

  test('who stops a line that is too slow can send the form again, as it was filled in', async () => {
    const customer = await newCustomer({})
    const { address, orderId } = await stage.openForm('sale')
    const stopped = (route: Route) => (route.request().method() === 'POST' ? route.abort('aborted') : route.continue())
    await customer.route(address, stopped)
    const page = await customer.newPage()
    await page.clock.install()
    await page.goto(address)
    await fillIn(page, 'sale')
    // While a page goes elsewhere, Playwright leaves its clock alone.
    const isStopped = page.waitForEvent('requestfailed')
    await page.locator('form button').click({ noWaitAfter: true })
    expect(await page.locator('form button').textContent()).toBe('One moment …')
    await isStopped
    await page.clock.fastForward(15_000)
    expect(await page.locator('form button').textContent()).toMatch(/^Pay /)
    await customer.unrouteAll()
    await submit(page)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(stage.executed.filter((each) => each === orderId)).toHaveLength(1)
  })

  test('two tabs pay once', async () => {
    const customer = await newCustomer({})
    const { address, orderId } = await stage.openForm('sale')
    const tabs = await Promise.all([visit(customer, address), visit(customer, address)])
    for (const { page } of tabs) await fillIn(page, 'sale')
    await Promise.all(tabs.map(({ page }) => submit(page)))
    await Promise.all(tabs.map(({ page }) => page.getByRole('heading', { name: 'Thank you' }).waitFor()))
    expect(stage.executed.filter((each) => each === orderId)).toHaveLength(1)
  })

  test('without script a payout shows the fields of the chosen way alone', async () => {
    const customer = await newCustomer({ javaScriptEnabled: false })
    const { address, clientOrderId } = await stage.openForm('payout')
    const { page } = await visit(customer, address)
    expect(await page.getByLabel('Account number or IBAN').isVisible()).toBe(false)
    await page.getByLabel('A bank account').first().check()
    expect(await page.getByLabel('Card number').isVisible()).toBe(false)
    await page.getByLabel('Account number or IBAN').fill('DE02120300000000202051')
    await submit(page)
    await page.getByRole('button', { name: 'Continue to the shop' }).click()
    expect(await stage.client.status({ clientOrderId })).toMatchObject({
      status: 'approved',
      transactionType: 'payout',
    })
  })

  test.for([
    ['without script', { javaScriptEnabled: false }, (page: string) => page],
    // As one that cannot select by what is checked: it shows the fields of all ways.
    ['in an old browser', {}, (page: string) => page.replace('@supports selector(:has(*))', '@supports (none:none)')],
  ] as const)('%s what was typed for another way holds no payout up', async ([, options, asRead]) => {
    const customer = await newCustomer(options)
    const { address, clientOrderId } = await stage.openForm('payout')
    await customer.route(address, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 })
      await route.fulfill({ response, body: asRead(await response.text()) })
    })
    const { page } = await visit(customer, address)
    await page.getByLabel('Card number').first().fill('none')
    await page.locator('#way-account').check()
    await page.getByLabel('Account number or IBAN').fill('DE02120300000000202051')
    await submit(page)
    await page.getByRole('button', { name: 'Continue to the shop' }).or(page.getByText('Thank you')).waitFor()
    expect(await stage.client.status({ clientOrderId })).toMatchObject({ status: 'approved' })
  })

  test('a refused form that the browser has kept, and shows again, is not sent again', async () => {
    const { page } = await visit(await newCustomer({}), (await stage.openForm('sale')).address)
    await fillIn(page, 'sale', { name: '4444333322221111' })
    await submit(page)
    await page.getByText('You can try 2 more times.').waitFor()
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"),
    ])
    expect(await page.locator('.summary').count()).toBe(0)
    await fillIn(page, 'sale', { name: '4444333322221111' })
    await submit(page)
    await page.getByText('This is the last try.').waitFor()
  })

  test.for([
    ['phone', 'receiver_phone', '+49 151 234 567 89'],
    ['phone', 'receiver_phone', '\u202d+49 151 23456789\u202c'],
    ['account', 'routing_number', '1234 5678 9012 3456 7890'],
  ])('the number that a payout goes to is never cut off: %s', async ([way = '', name, number = '']) => {
    const { page } = await visit(await newCustomer({}), (await stage.openForm('payout')).address)
    await page.locator(`#way-${way}`).check()
    const field = page.locator(`#${way}-${name}`)
    await field.pressSequentially(number)
    await page.keyboard.press('Tab')
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([number, 'false'])
  })

  test.for([true, false])('an outcome that is unknown is waited for (script: %s)', async (javaScriptEnabled) => {
    const customer = await newCustomer({ javaScriptEnabled })
    const { page, complaints } = await visit(customer, (await stage.openForm('sale')).address)
    await fillIn(page, 'sale', { cvv: '217' })
    await submit(page)
    await page.getByRole('heading', { name: 'One moment, please' }).waitFor()
    // The page looks again by itself: it is loaded anew.
    await page.waitForEvent('load')
    expect(await page.getByRole('heading', { name: 'One moment, please' }).isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })
})
